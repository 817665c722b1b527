"""The WebSocket server for the Chrome extension: admission, and the link it hands to the engine.

The Host and Origin headers are checked before the upgrade, then both sides prove that they know a key
(`policy.callers.chrome_pairing`). No port is open before a Chrome is paired. Chrome loads a copy of
`extension/` from the state folder.
"""
