"""The shell door: one command per action, derived from the catalogue.

A command must cost little, so nothing here imports the catalogue: `make gen` writes it to commands.json.
"""
