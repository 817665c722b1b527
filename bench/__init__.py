"""Tabwright and Playwright side by side, in one run, on the same pages."""
