"""The dialect `browsion`: Browsion's 71 tools, which are HTTP routes as well (`routes`)."""
