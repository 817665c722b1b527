"""Tools found by inspecting a page: forms, searches, lists, buttons."""
