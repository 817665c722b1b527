"""Reading a page: the snapshot as text, tables and Markdown, and what an action changed.

A snapshot is one walk of the page by `js/snapshot`, in one call per frame. An action on a tab is observed
(`observe`): an element is new if it got its ref after the observation started, so elements that a class
reveals count as well as elements that a script adds. While a dialog blocks the page, the observation of the
action that opened it continues, and the answer to the dialog reports it.
"""
