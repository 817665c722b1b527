"""What a site stores: cookies, web storage, IndexedDB; and downloads."""
