"""What sessions may reach: URL rules and the filtering proxy that enforces them.

`boundary` gives every browser context a gate: a forward proxy on its own loopback port, which requests to
this machine pass, too. The proxy judges a plain http request by its whole URL, and a CONNECT by host and
port and, from its first bytes, by whether it is TLS or a WebSocket in the clear. It resolves names itself
and dials the address it judged, so a name cannot change to another address in between. Only a host that a
pattern names may resolve to a private address. Our own ports are always refused. Chrome's own background
traffic goes to a gate that refuses everything. WebRTC and QUIC are off, because they use UDP. The user's
own proxy comes after the gate.

A proxy does not see the paths of https URLs. Where a pattern has a path or is a regular expression, Chrome
asks about those URLs through the Fetch domain (`browser.network.interception`). That is a second layer, not
a boundary: workers and WebSockets over TLS pass it, but only to hosts that are allowed anyway. In the
user's own Chrome, only the navigations of callers are checked.
"""
