"""The hub's Unix socket: its server, its clients, and the handshake between them.

The socket is 0600 in a 0700 folder, and both sides ask the kernel who the other one is. A client that finds
no hub starts one under a lock, so many clients that start at once share one hub. A hub of another version
exits if it is idle, and otherwise refuses with a message. A hub that is asked to stop keeps that connection
open until it exits, so `hub stop` and the next hub know when it is gone.
"""
