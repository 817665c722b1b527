"""Running a page tool: filling fields, pressing buttons, reporting results."""
