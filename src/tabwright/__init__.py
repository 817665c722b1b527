"""Tabwright drives Chrome over the DevTools protocol, for agents."""

__version__ = "0.1.0"
