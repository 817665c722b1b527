"""Doors: translate between the outside and the runner, never decide."""
