"""The dialect `agent_browser`: agent-browser's commands as tools.

A tool runs a program without a shell, for local clients that chose this dialect: what such a program
reaches is beyond our control. Our own command line comes back to the hub as any shell does, so no session
is locked meanwhile.
"""
