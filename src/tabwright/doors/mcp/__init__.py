"""MCP over stdio, the hub's socket and HTTP.

`tabwright mcp` (`stdio_proxy`) connects to the hub's socket, exchanges one line of handshake, and then only
copies lines, which costs about 50 ms on top of the interpreter's start. If the hub exits, unanswered
requests get an error, and the client's next line connects to a new hub, which first gets the client's
`initialize` again. No request is sent twice.

`framing` splits bytes into messages. A bad or endless line gets an error and changes nothing else; a client
that does not read its answers is not read from, so the hub's memory stays bounded. The MCP SDK takes a
third of the hub's start-up time and memory, so `lazy` imports it with the first MCP client. `server` is the
SDK's low-level server plus what it leaves to us: it announces list changes, names the field of malformed
parameters, hides exception texts, and knows log levels. Page text in answers stands between markers with a
key that is new in each answer (`results`). An unnamed session is closed when its connection ends.
"""
