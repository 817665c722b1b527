"""The hub's Unix socket: its server, its clients, and the handshake between them."""
