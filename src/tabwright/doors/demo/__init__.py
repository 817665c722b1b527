"""`tabwright demo`: a tour of a small site, driven as an MCP client of the hub."""
