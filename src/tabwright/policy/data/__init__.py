"""What callers may read, write, type and run: files, secrets, scripts."""
