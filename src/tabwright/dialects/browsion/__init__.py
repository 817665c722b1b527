"""The dialect `browsion`: Browsion's 71 tools and its HTTP routes."""
