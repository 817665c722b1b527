"""Emulated devices, locales, user agents and permissions."""
