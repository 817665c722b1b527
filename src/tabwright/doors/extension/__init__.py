"""The WebSocket server for the Chrome extension."""
