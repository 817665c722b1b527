"""Pictures for models that see: how large each likes them, and refs drawn on them."""
