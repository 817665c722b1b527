"""Who calls: principals, tokens, pairing, rate limits, approvals, and the log of what they did."""
