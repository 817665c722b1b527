"""Profiles: browser identities in the settings file, and the browsers that run for them.

A session whose name is the id of a `[[profiles]]` table works in the default context of that profile's own
browser, which stores cookies, storage and cache in its folder. Profiles belong to the user: callers need
the scope `admin`. The gate is the browser's proxy, and the profile's own proxy comes after it. The folder
is locked by a file lock that Chrome inherits, so a new hub waits for the browser of a hub that was killed.

Tabs and session cookies are not in the folder; they come back as in any session (`unsaved_state`). Chrome
deletes session cookies with its last window, so the last tab is replaced instead of closed.
"""
