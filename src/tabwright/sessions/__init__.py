"""Sessions: an isolated browser context with its tabs, an owner, and one lock."""
