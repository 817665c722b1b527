"""The dialect `agent_browser`: agent-browser's commands as tools."""
