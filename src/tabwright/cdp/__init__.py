"""The DevTools protocol: transports, one connection, flat sessions. Knows nothing of pages."""

from tabwright.cdp.connection import NOT_ALLOWED, CdpError, CdpSession, Connection, ConnectionLost, Params
from tabwright.cdp.transport import Transport

__all__ = ["NOT_ALLOWED", "CdpError", "CdpSession", "Connection", "ConnectionLost", "Params", "Transport"]
