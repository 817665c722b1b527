"""What a tab pretends to be: its screen, its place and time, its language, its speed.

What is set holds across navigation and for frames of other sites, until it is set again or reset.
"""

import re
from typing import TYPE_CHECKING, Any, Literal

from tabwright.browser.emulation.devices import Device
from tabwright.browser.emulation.user_agent import override
from tabwright.cdp import CdpError, CdpSession, Params
from tabwright.cdp.session_set import SessionSet
from tabwright.errors import InvalidArgs, require_between

if TYPE_CHECKING:
    from tabwright.browser.tab import Tab

Media = Literal["screen", "print", ""]
ColourScheme = Literal["light", "dark", ""]
Motion = Literal["reduce", "no-preference", ""]

_MAX_SIDE = 10_000
_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
# What brings each setting back; sent in this order.
_NEUTRAL: dict[str, tuple[str, Params]] = {
    "Emulation.setDeviceMetricsOverride": ("Emulation.clearDeviceMetricsOverride", {}),
    "Emulation.setTouchEmulationEnabled": ("Emulation.setTouchEmulationEnabled", {"enabled": False}),
    "Emulation.setGeolocationOverride": ("Emulation.clearGeolocationOverride", {}),
    "Emulation.setTimezoneOverride": ("Emulation.setTimezoneOverride", {"timezoneId": ""}),
    "Emulation.setLocaleOverride": ("Emulation.setLocaleOverride", {}),
    "Emulation.setUserAgentOverride": ("Emulation.setUserAgentOverride", {"userAgent": ""}),
    "Emulation.setEmulatedMedia": ("Emulation.setEmulatedMedia", {"media": "", "features": []}),
    "Emulation.setCPUThrottlingRate": ("Emulation.setCPUThrottlingRate", {"rate": 1}),
}


class Emulation:
    """The pretences of one tab."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._sessions = SessionSet()
        self._sent: dict[str, Params] = {}
        self._features: dict[str, str] = {}
        self._media: Media = ""
        self._agent = ""
        self._locale = ""

    def attach(self, session: CdpSession) -> None:
        """Put what is set into force on a frame that has not run yet."""
        self._sessions.add(session)
        for method, params in self._sent.items():
            session.post(method, **params)

    @property
    def current(self) -> dict[str, Params]:
        """What is in force, by protocol command."""
        return {method: dict(params) for method, params in self._sent.items()}

    async def viewport(self, width: int, height: int, *, scale: float = 1.0, mobile: bool = False) -> None:
        """Give the page a viewport, in CSS pixels, on a screen of `scale` device pixels for each."""
        for side in (width, height):
            if not 1 <= side <= _MAX_SIDE:
                raise InvalidArgs(
                    f"A viewport of {width} by {height} is not possible.", hint=f"Give 1 to {_MAX_SIDE}."
                )
        require_between("device scale", scale, 0.1, 10)
        await self._set(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=mobile,
            screenWidth=width,
            screenHeight=height,
        )

    async def device(self, device: Device) -> None:
        """Pretend to be a device: screen, touch, user agent."""
        await self.viewport(device.width, device.height, scale=device.scale, mobile=device.mobile)
        await self.touch(device.mobile)
        major = re.search(r"/(\d+)", self._tab.context.browser.version.product)
        await self.user_agent(device.agent(major[1] if major else "140"))

    async def touch(self, on: bool) -> None:
        """Have a touch screen, or none."""
        points: Params = {"maxTouchPoints": 5} if on else {}
        await self._set("Emulation.setTouchEmulationEnabled", enabled=on, **points)

    async def geolocation(self, latitude: float, longitude: float, *, accuracy: float = 10.0) -> None:
        """Be at a place; the page still needs the permission to know."""
        await self._set(
            "Emulation.setGeolocationOverride",
            latitude=require_between("latitude", latitude, -90, 90),
            longitude=require_between("longitude", longitude, -180, 180),
            accuracy=require_between("accuracy", accuracy, 0, 1e7),
        )

    async def timezone(self, name: str) -> None:
        """Be in a time zone, such as Europe/Paris."""
        if not name.strip():
            raise InvalidArgs("The time zone is empty.", hint="Give one such as Europe/Paris.")
        await self._set("Emulation.setTimezoneOverride", timezoneId=name)

    async def locale(self, name: str) -> None:
        """Speak a language, such as fr or pt-BR: in formats, in navigator.language and to servers."""
        if not _LOCALE.fullmatch(name):
            raise InvalidArgs(f"{name!r} is no locale.", hint="Give one such as fr or pt-BR.")
        tag = name.replace("_", "-")
        await self._set("Emulation.setLocaleOverride", locale=tag.replace("-", "_"))
        self._locale = tag
        await self._send_agent()

    async def user_agent(self, text: str) -> None:
        """Say to be this browser, in client hints too; nothing is the real one."""
        if any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
            raise InvalidArgs("The user agent has control characters.", hint="Leave them out.")
        self._agent = text
        await self._send_agent()

    async def media(
        self,
        *,
        kind: Media | None = None,
        colour_scheme: ColourScheme | None = None,
        motion: Motion | None = None,
    ) -> None:
        """Prefer dark or light, prefer less motion, show as printed; what is not given stays, "" resets."""
        self._media = self._media if kind is None else kind
        for name, value in (("prefers-color-scheme", colour_scheme), ("prefers-reduced-motion", motion)):
            if value is not None:
                self._features[name] = value
        features = [{"name": name, "value": value} for name, value in self._features.items()]
        await self._set("Emulation.setEmulatedMedia", media=self._media, features=features)

    async def slow_cpu(self, factor: float) -> None:
        """Make scripts run `factor` times slower; 1 is full speed."""
        await self._set("Emulation.setCPUThrottlingRate", rate=require_between("slowdown", factor, 1, 100))

    async def restore(self, settings: dict[str, Params]) -> None:
        """Pretend what `current` of another tab told."""
        for method, params in settings.items():
            if method in _NEUTRAL:
                await self._set(method, **params)
        self._agent = settings.get("Emulation.setUserAgentOverride", {}).get("userAgent", "")
        self._locale = settings.get("Emulation.setLocaleOverride", {}).get("locale", "").replace("_", "-")
        media = settings.get("Emulation.setEmulatedMedia", {})
        self._media = media.get("media", "")
        self._features = {feature["name"]: feature["value"] for feature in media.get("features", ())}

    async def reset(self) -> None:
        """Pretend nothing any more; the network is back to its own speed too."""
        sent, self._sent = self._sent, {}
        self._features, self._media, self._agent, self._locale = {}, "", "", ""
        for method, (neutral, params) in _NEUTRAL.items():
            if method in sent:
                await self._sessions.send(neutral, **params)
        await self._tab.throttle.reset()

    async def _send_agent(self) -> None:
        languages = self._locale
        if "-" in languages:
            languages = f"{languages},{languages.partition('-')[0]}"
        # The language travels with the user agent: without one of its own, the browser's is sent along.
        agent = self._agent or (self._tab.context.browser.version.user_agent if languages else "")
        params = override(agent, languages) if agent else {"userAgent": ""}
        await self._set("Emulation.setUserAgentOverride", **params)

    async def _set(self, method: str, **params: Any) -> None:
        """Try it on the page, remember it, then tell all frames."""
        try:
            await self._tab.session.send(method, **params)
        except CdpError as error:
            value = next(iter(params.values()), "")
            raise InvalidArgs(
                f"Chrome cannot pretend {value!r}: {error.message}.", hint="Check the value."
            ) from error
        self._sent[method] = params
        await self._sessions.send(method, besides=self._tab.session, **params)
