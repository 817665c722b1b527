"""Tools found by inspecting a page: forms, searches, lists, buttons.

One call per frame: the scripts in `page_tools/js` report facts with the numbers of elements. Names, schemas
and ranks are pure functions of those facts.
"""
