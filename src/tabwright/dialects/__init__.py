"""Tool surfaces: names, parameters, defaults and units over the one catalogue of actions.

A dialect is a table of aliases (`alias`), a row for each tool; `alias_table` derives the tool list and the
calls from it. To add a dialect, write such a table and register it. `registry` builds the dialect, or the
combination of dialects, that a client asks for. Only `tabs` changes while a client is connected;
`doors.mcp.live_tools` watches for that.
"""
