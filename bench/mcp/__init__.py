"""`tabwright mcp` beside other MCP servers for browsers, over standard input and output."""
