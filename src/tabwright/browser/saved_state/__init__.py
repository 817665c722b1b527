"""The state of a context: captured, restored, and as a Playwright storage-state file."""
