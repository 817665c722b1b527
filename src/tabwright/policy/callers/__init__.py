"""Callers: principals, tokens, pairing, rate limits, approvals, and the logs of their calls.

On the Unix socket the kernel guarantees that the caller is the user. Over HTTP, `http_auth` looks up the
owner of the token; as long as no token was ever created, every caller counts as the user. `tokens` stores
hashes in a file that only its owner may read, and checks that file on every request.
"""
