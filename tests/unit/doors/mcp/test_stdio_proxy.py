"""The proxy between a client's standard streams and the hub, over socket pairs."""

import json
import os
import socket
import threading

from tabwright.doors.mcp.stdio_proxy import StdioProxy

# The proxy cannot pass on more than a pipe holds before the client reads; the rest waits in the socket.
LONG_NOTICE = json.dumps({"jsonrpc": "2.0", "method": "notice", "params": "x" * 100_000}).encode() + b"\n"
CALL = b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}\n'
ANSWER = b'{"jsonrpc":"2.0","id":7,"result":{}}\n'


def test_a_request_after_the_hub_exited_goes_to_the_next_hub() -> None:
    """Also while output of the first hub is still unread: the request was never sent to it."""
    (first_hub, first_link), (next_hub, next_link) = socket.socketpair(), socket.socketpair()
    (source, client_out), (client_in, sink) = os.pipe(), os.pipe()
    next_hub.settimeout(60)
    proxy = StdioProxy(lambda _: next_link, first_link, source, sink)
    running = threading.Thread(target=proxy.run, daemon=True)
    running.start()
    first_hub.sendall(LONG_NOTICE * 2)
    first_hub.close()
    os.write(client_out, CALL)
    os.close(client_out)
    with os.fdopen(client_in, "rb") as answers:
        assert [answers.readline(), answers.readline()] == [LONG_NOTICE] * 2
        assert next_hub.makefile("rb").readline() == CALL
        next_hub.sendall(ANSWER)
        next_hub.close()
        assert answers.readline() == ANSWER
        running.join(60)  # a proxy whose client does not read any more ends the process
        assert not running.is_alive()
    os.close(source)
    os.close(sink)
