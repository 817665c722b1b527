"""What callers may do: who they are, what they may reach, read, write and run."""
