"""Running a page tool: filling fields, pressing buttons, reporting results, with the engine's input."""
