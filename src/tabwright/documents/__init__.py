"""PDF, DOCX, XLSX and CSV documents as Markdown.

`source` fetches the bytes: of the document that a tab shows, of a download, or of a file. `document` has a
child process (`worker`) parse them, with limits on time and memory, because strangers wrote the files.
The parsers are optional packages: `pip install 'tabwright[documents]'`.
"""
