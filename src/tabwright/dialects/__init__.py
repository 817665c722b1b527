"""Tool surfaces: names, parameters, defaults and units over the one catalogue of actions.

`registry` builds the dialect, or the combination of dialects, that a client asks for. A dialect has no
behaviour of its own. Only `tabs` changes while a client is connected; `doors.mcp.live_tools` watches for
that.
"""
