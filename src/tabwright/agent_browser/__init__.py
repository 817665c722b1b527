"""agent-browser's command line, run for a client as a program: ours answers where theirs is not installed."""
