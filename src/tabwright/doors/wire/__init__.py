"""What several doors share: the handshake and client of the hub's socket, and JSON over HTTP. Not a door."""
