"""The dashboard: what people see of sessions, and how they take over.

One static page without a build step follows one stream of JSON lines (`stream`): the state of all sessions,
calls as they finish, and frames of one tab, which are captured only while someone watches. Browsers allow
six connections per origin, so a hidden window drops its stream, and of the visible ones only four keep
theirs; the others get one for a second at a time, and say so. While a person has taken over a session, the
call in progress finishes and no other starts until they hand it back.
"""
