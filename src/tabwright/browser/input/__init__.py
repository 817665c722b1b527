"""Trusted input: mouse, keyboard, touch, drag, scroll, form fields and files."""
