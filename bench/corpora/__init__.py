"""`make corpora`: what Tabwright sees on pages that other people wrote.

The pages stay in a folder outside the project (`CORPORA=folder`, default `../shared/corpora`). Each part
measures one kind of page through the same actions that agents call, and lists every miss.
"""
