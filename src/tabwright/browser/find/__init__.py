"""Finding elements: selectors, refs, actionability, waits."""
