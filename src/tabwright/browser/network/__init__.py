"""Requests: the log, bodies, interception, throttling, HAR, and the gate they pass."""
