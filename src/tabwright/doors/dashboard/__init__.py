"""The dashboard: what people see of sessions, and how they take over."""
