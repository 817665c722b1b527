"""The state of a context: captured, restored, and as a Playwright storage-state file.

Restoring sets the cookies, answers all requests of the new context with empty documents while storage is
written and histories are walked, and then loads only the page that each tab showed. Tabs keep their ids.
Ref numbers continue where they were, so an old ref is stale and never names another element.

Not saved: storage of third-party frames, IndexedDB, caches, service workers, forward history, and storage
of origins that were only passed through during a call.
"""
