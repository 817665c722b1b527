"""Screenshots for models: their size limits, and refs drawn on screenshots."""
