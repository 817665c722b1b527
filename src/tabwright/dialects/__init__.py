"""Dialects: named tool surfaces over the one catalogue. Names and shapes, no behaviour."""
