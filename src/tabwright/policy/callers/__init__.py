"""Who calls: principals, tokens, pairing, rate limits, approvals, and the log of what they did.

On the Unix socket the kernel says that the caller is the user. Over HTTP, `http_auth` finds the owner of
the token, or takes the caller for the user as long as no token was ever created. `tokens` stores hashes in
a file that only its owner may read, and reads that file for every request.
"""
