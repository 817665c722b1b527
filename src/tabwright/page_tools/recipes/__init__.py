"""Recipes: tools that the user recorded for a site (docs/RECIPES.md).

While a session records, the runner shows the recorder the target of each action before it runs. Replaying
uses the first locator that names exactly one element, and otherwise fails with the number of the step.
"""
