"""Recipes: tools that the user recorded for a site."""
