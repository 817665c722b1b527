"""Sessions: their owners and limits, and what is saved of them, in memory and on disk.

Soon after a call, in parallel with the next one and at most once a second, `autosave` captures the
session's state. It bypasses the hang watchdog, so a running script is left alone; for a page that does not
answer within a second, its last known state stays. The newest state is in memory. The state of a named
session is also a JSON row in SQLite (`store`: WAL, its own thread), deleted after `sessions.keep_days`
without use. An orderly shutdown captures the state once more, while the browser is still alive.

An unnamed session is not stored. When its connection closes, it waits for the same client to connect again
(`connections`, `reconnect`); when it is gone, the first answer of the next one says why.

A session whose browser is gone, or whose name is in the store, is restored under its lock at its next use,
and the next answer starts with what came back and what did not.
"""
