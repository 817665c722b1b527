"""The demonstration: a small site of our own, and a tour of it by an MCP client that a person watches."""
