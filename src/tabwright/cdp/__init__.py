"""The DevTools protocol: transports, one connection, flat sessions. It knows nothing about pages."""

from tabwright.cdp.connection import (
    CALL_TIMEOUT,
    MAX_TIMEOUT,
    NOT_ALLOWED,
    CdpError,
    CdpSession,
    Connection,
    ConnectionLost,
    Params,
)
from tabwright.cdp.transport import Transport

__all__ = [
    "CALL_TIMEOUT",
    "MAX_TIMEOUT",
    "NOT_ALLOWED",
    "CdpError",
    "CdpSession",
    "Connection",
    "ConnectionLost",
    "Params",
    "Transport",
]
