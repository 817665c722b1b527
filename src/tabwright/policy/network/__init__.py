"""What sessions may reach: URL rules and the filtering proxy that enforces them."""
