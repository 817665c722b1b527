"""Our entry in the file of a client: how it starts us, or reaches the hub over HTTP."""

from typing import Any, NamedTuple

from tabwright.doors.client_config.clients import Client
from tabwright.doors.client_config.launch import start_command

AUTHORIZATION = "Authorization"
BEARER = "Bearer "


class NotWritten(Exception):
    """The client's file was not changed; the message says why."""


class Http(NamedTuple):
    """How to reach the hub over HTTP."""

    url: str
    token: str


def entry(client: Client, *, dialect: str | None = None, http: Http | None = None) -> dict[str, Any]:
    """Return our entry for a client.

    Raises:
        NotWritten: the client cannot use HTTP.
    """
    shape = client.shape
    if http is None:
        start = start_command(dialect)
        if not shape.args:
            return {**shape.stdio, shape.command: [start["command"], *start["args"]]}
        return {**shape.stdio, shape.command: start["command"], shape.args: start["args"]}
    if shape.http is None:
        raise NotWritten(f"The file of {client.title} cannot have servers over HTTP.")
    return {**shape.http, shape.url: http.url, shape.headers: {AUTHORIZATION: BEARER + http.token}}
