"""What a connection needs from a transport: decoded messages out, decoded messages in, and an end.

Encoding and decoding are left to the transports that carry bytes.
"""

from collections.abc import Callable
from typing import Any, Protocol

# Messages are JSON objects; their shape is documented by Chrome and checked by use.
Message = dict[str, Any]
# Gets every incoming message; what a peer sends need not be an object.
Receive = Callable[[Any], None]


class Transport(Protocol):
    """Carries whole messages between us and one browser."""

    def send(self, message: Message) -> None:
        """Queue one message; never blocks. After the end it is dropped.

        Raises:
            TypeError: JSON cannot encode it.
        """

    async def run(self, receive: Receive) -> str:
        """Pass every incoming message to `receive` until the transport ends; return why it ended.

        Input that is not JSON arrives as None.
        """

    async def aclose(self) -> None:
        """Close the transport; `run` returns."""
