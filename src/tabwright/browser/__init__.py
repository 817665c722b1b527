"""The engine: browsers, contexts, tabs, frames, elements, and what they can do."""
