"""Screenshots for models: fitting their size limits, drawing refs on them."""
