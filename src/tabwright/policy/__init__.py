"""What callers may do: who they are, what they may reach, read, write and run.

The order of a request: authenticate, rate limit, scope, execute. Another caller's sessions, outputs and
files look as if they did not exist. What is promised, and the test for each promise: docs/SECURITY.md.
"""
