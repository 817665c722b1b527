"""The user's own Chrome, through the extension or a debugging port."""
