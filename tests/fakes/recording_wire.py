"""A transport that records what is sent, grouped by round trip."""

from tabwright.cdp.transport import Message, Receive, Transport


class RecordingWire:
    """Passes all messages on. A message sent after an answer has arrived starts another round trip."""

    def __init__(self, wire: Transport) -> None:
        self._wire = wire
        self.round_trips: list[list[str]] = []
        self._answered = True

    def clear(self) -> None:
        """Record from now on."""
        self.round_trips = []
        self._answered = True

    def send(self, message: Message) -> None:
        if self._answered:
            self.round_trips.append([])
            self._answered = False
        self.round_trips[-1].append(_name(message))
        self._wire.send(message)

    async def run(self, receive: Receive) -> str:
        def record(message: Message) -> None:
            self._answered |= "id" in message
            receive(message)

        return await self._wire.run(record)

    async def aclose(self) -> None:
        await self._wire.aclose()


def _name(message: Message) -> str:
    """Return what a message does: the function called in the page, the kind of event, or else its method."""
    params = message.get("params", {})
    if message["method"] == "Runtime.callFunctionOn":
        values = [argument.get("value") for argument in params["arguments"]]
        return str(values[2] if values[0] == "countFrom" else values[0])
    return str(params["type"] if message["method"].startswith("Input.dispatch") else message["method"])
