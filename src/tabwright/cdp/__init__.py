"""The DevTools protocol: transports, one connection, flat sessions. Knows nothing of pages."""

from tabwright.cdp.connection import (
    CALL_TIMEOUT,
    LONGEST_DEADLINE,
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
    "LONGEST_DEADLINE",
    "NOT_ALLOWED",
    "CdpError",
    "CdpSession",
    "Connection",
    "ConnectionLost",
    "Params",
    "Transport",
]
