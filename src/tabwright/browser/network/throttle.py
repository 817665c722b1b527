"""How slow a tab's network is made, and whether there is one at all."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.cdp import CdpSession
from tabwright.cdp.session_set import SessionSet
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.context import Context


@dataclass(frozen=True, slots=True)
class Speed:
    """A network: seconds until the first byte, bytes per second down and up; None is unlimited."""

    latency: float = 0.0
    download: float | None = None
    upload: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.latency <= 60:
            raise InvalidArgs(f"A latency of {self.latency:g} s is not possible.", hint="Give 0 to 60 s.")
        for rate in (self.download, self.upload):
            if rate is not None and not 0 < rate < float("inf"):
                raise InvalidArgs(
                    f"{rate:g} bytes per second is no speed.", hint="Give a positive number, or none."
                )


UNLIMITED = Speed()
PRESETS = {
    "none": UNLIMITED,
    "slow-3g": Speed(2.0, 50_000, 50_000),
    "3g": Speed(0.5, 180_000, 85_000),
    "4g": Speed(0.15, 1_000_000, 170_000),
    "dsl": Speed(0.05, 2_500_000, 600_000),
}


def preset(name: str) -> Speed:
    """Return the speed of that name."""
    if name not in PRESETS:
        raise InvalidArgs(f"There is no network {name!r}.", hint=f"Choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]


class Throttle:
    """The network of one tab; its context decides whether it is offline."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._sessions = SessionSet()
        self._speed = UNLIMITED

    @property
    def speed(self) -> Speed:
        """What is in force."""
        return self._speed

    def attach(self, session: CdpSession) -> None:
        """Put it into force on a session whose target has not run yet."""
        self._sessions.add(session)
        if self._context.offline or self._speed != UNLIMITED:
            session.post("Network.emulateNetworkConditions", **self._conditions())

    async def set(self, speed: Speed) -> None:
        """Make the network this fast from now on."""
        self._speed = speed
        await self.apply()

    async def reset(self) -> None:
        """Make it as fast as it is."""
        if self._speed != UNLIMITED:
            await self.set(UNLIMITED)

    async def apply(self) -> None:
        """Bring all live sessions to what is wanted now."""
        await self._sessions.send("Network.emulateNetworkConditions", **self._conditions())

    def _conditions(self) -> dict[str, Any]:
        speed = self._speed
        return {
            "offline": self._context.offline,
            "latency": speed.latency * 1000,
            "downloadThroughput": -1 if speed.download is None else speed.download,
            "uploadThroughput": -1 if speed.upload is None else speed.upload,
        }
