"""The user's own Chrome, through the extension or a debugging port.

A session there is a `Browser` over `relay`. Calls to pages travel over the extension's link. What the
engine asks of the browser itself is answered from what the extension reports about tabs, or refused with a
text of `limits`. Extensions that other people wrote cannot carry calls to pages: their tabs are reached over
`document_relay`, and offer only the tools that they declare. A tab belongs to one session at a time. Tab ids
survive a lost link, and the next call reconnects. Nothing is brought to the front unasked, and no page is
killed. docs/EXTENSION.md describes the wire.
"""
