"""MCP over stdio, the hub's socket and HTTP."""
