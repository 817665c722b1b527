"""Runs agent-browser's commands as programs: the installed one, or our own command line."""
