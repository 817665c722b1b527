"""The soak test: many clients use one hub for some minutes, and nothing may grow."""
