"""Network throttling of a tab, and its offline mode."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tabwright.cdp import CdpSession
from tabwright.cdp.session_set import SessionSet
from tabwright.errors import InvalidArgs

if TYPE_CHECKING:
    from tabwright.browser.context import Context


@dataclass(frozen=True, slots=True)
class Speed:
    """Latency in seconds, download and upload in bytes per second; None is unlimited."""

    latency: float = 0.0
    download: float | None = None
    upload: float | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.latency <= 60:
            raise InvalidArgs(f"Invalid latency {self.latency:g} s.", hint="Give 0 to 60 s.")
        for rate in (self.download, self.upload):
            if rate is not None and not 0 < rate < float("inf"):
                raise InvalidArgs(
                    f"Invalid speed {rate:g} bytes per second.", hint="Give a positive number, or none."
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
        raise InvalidArgs(f"Unknown network {name!r}.", hint=f"Choose one of {', '.join(PRESETS)}.")
    return PRESETS[name]


class Throttle:
    """The throttling of one tab; its context decides whether it is offline."""

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._sessions = SessionSet()
        self._speed = UNLIMITED

    @property
    def speed(self) -> Speed:
        """The current speed."""
        return self._speed

    def attach(self, session: CdpSession) -> None:
        """Apply it to a new session, before its target runs."""
        self._sessions.add(session)
        if self._context.offline or self._speed != UNLIMITED:
            session.post("Network.emulateNetworkConditions", **self._conditions())

    async def set(self, speed: Speed) -> None:
        """Set the speed from now on."""
        self._speed = speed
        await self.apply()

    async def reset(self) -> None:
        """Remove the throttling."""
        if self._speed != UNLIMITED:
            await self.set(UNLIMITED)

    async def apply(self) -> None:
        """Apply the current settings to all live sessions."""
        await self._sessions.send("Network.emulateNetworkConditions", **self._conditions())

    def _conditions(self) -> dict[str, Any]:
        speed = self._speed
        return {
            "offline": self._context.offline,
            "latency": speed.latency * 1000,
            "downloadThroughput": -1 if speed.download is None else speed.download,
            "uploadThroughput": -1 if speed.upload is None else speed.upload,
        }
