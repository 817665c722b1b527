"""Reading a page: the snapshot as text, tables and Markdown, and what an action changed."""
