"""Requests: the log, bodies, interception, throttling, HAR, and the gate they pass.

`Context.gate` is where the engine asks the policy: `check` before a tab navigates, `failure` for why a
document did not load. The engine used from Python without a boundary has an open gate.
"""
