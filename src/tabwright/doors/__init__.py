"""Ways in: MCP, HTTP, CLI, dashboard, extension, the hub's socket. Doors translate and decide nothing."""
