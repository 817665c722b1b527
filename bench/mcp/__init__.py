"""The MCP part: `tabwright mcp` compared with other MCP servers for browsers, over stdio."""
