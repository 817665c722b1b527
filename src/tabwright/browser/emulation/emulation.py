"""Emulating another device in a tab: its screen, location, time zone, language and speed.

Settings survive navigations and apply to frames of other sites too, until they are changed or reset.
"""

import re
from typing import TYPE_CHECKING, Any, Literal

from tabwright.browser.emulation.devices import find_device
from tabwright.browser.emulation.user_agent import user_agent_params
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
# The command that resets each setting; sent in this order.
_RESET: dict[str, tuple[str, Params]] = {
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
    """Emulates a device in the tab: viewport, touch, location, time zone, locale, media and CPU speed."""

    def __init__(self, tab: "Tab") -> None:
        self._tab = tab
        self._sessions = SessionSet()
        self._sent: dict[str, Params] = {}
        self._features: dict[str, str] = {}
        self._media: Media = ""
        self._agent = ""
        self._locale = ""

    def attach(self, session: CdpSession) -> None:
        """Apply the settings to a new frame, before its scripts run."""
        self._sessions.add(session)
        for method, params in self._sent.items():
            session.post(method, **params)

    @property
    def current(self) -> dict[str, Params]:
        """The current settings, by protocol command."""
        return {method: dict(params) for method, params in self._sent.items()}

    async def set_viewport(
        self, width: int, height: int, *, scale: float = 1.0, mobile: bool = False
    ) -> None:
        """Set the viewport in CSS pixels; `scale` is the number of device pixels per CSS pixel."""
        for side in (width, height):
            if not 1 <= side <= _MAX_SIDE:
                raise InvalidArgs(
                    f"The viewport must be 1 to {_MAX_SIDE} pixels wide and high, not {width} by {height}."
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

    async def set_device(self, name: str) -> None:
        """Emulate a device by its name, such as `Pixel 9`: its screen, touch and user agent."""
        device = find_device(name)
        await self.set_viewport(device.width, device.height, scale=device.scale, mobile=device.mobile)
        await self.set_touch(device.mobile)
        major = re.search(r"/(\d+)", self._tab.context.browser.version.product)
        await self.set_user_agent(device.agent(major[1] if major else "140"))

    async def set_touch(self, on: bool) -> None:
        """Emulate a touch screen, or none."""
        points: Params = {"maxTouchPoints": 5} if on else {}
        await self._set("Emulation.setTouchEmulationEnabled", enabled=on, **points)

    async def set_geolocation(self, latitude: float, longitude: float, *, accuracy: float = 10.0) -> None:
        """Set the location; the page still needs the permission `geolocation`."""
        await self._set(
            "Emulation.setGeolocationOverride",
            latitude=require_between("latitude", latitude, -90, 90),
            longitude=require_between("longitude", longitude, -180, 180),
            accuracy=require_between("accuracy", accuracy, 0, 1e7),
        )

    async def set_timezone(self, name: str) -> None:
        """Set the time zone, such as Europe/Paris."""
        if not name.strip():
            raise InvalidArgs("The time zone is empty.", hint="Give one such as Europe/Paris.")
        await self._set("Emulation.setTimezoneOverride", timezoneId=name)

    async def set_locale(self, name: str) -> None:
        """Set the locale, such as fr or pt-BR: for formats, `navigator.language` and request headers."""
        if not _LOCALE.fullmatch(name):
            raise InvalidArgs(f"Unknown locale {name!r}.", hint="Give one such as fr or pt-BR.")
        tag = name.replace("_", "-")
        await self._set("Emulation.setLocaleOverride", locale=tag.replace("-", "_"))
        self._locale = tag
        await self._send_user_agent()

    async def set_user_agent(self, text: str) -> None:
        """Set the user agent, and the client hints to match; "" restores the browser's own."""
        if any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
            raise InvalidArgs("The user agent has control characters.", hint="Leave them out.")
        self._agent = text
        await self._send_user_agent()

    async def set_media(
        self,
        *,
        kind: Media | None = None,
        colour_scheme: ColourScheme | None = None,
        motion: Motion | None = None,
    ) -> None:
        """Set the CSS media type, colour scheme and reduced motion; None keeps a value, "" resets it."""
        self._media = self._media if kind is None else kind
        for name, value in (("prefers-color-scheme", colour_scheme), ("prefers-reduced-motion", motion)):
            if value is not None:
                self._features[name] = value
        features = [{"name": name, "value": value} for name, value in self._features.items()]
        await self._set("Emulation.setEmulatedMedia", media=self._media, features=features)

    async def throttle_cpu(self, factor: float) -> None:
        """Slow the CPU down by `factor`; 1 is full speed."""
        await self._set("Emulation.setCPUThrottlingRate", rate=require_between("slowdown", factor, 1, 100))

    async def restore(self, settings: dict[str, Params]) -> None:
        """Apply the `current` settings of another tab."""
        for method, params in settings.items():
            if method in _RESET:
                await self._set(method, **params)
        self._agent = settings.get("Emulation.setUserAgentOverride", {}).get("userAgent", "")
        self._locale = settings.get("Emulation.setLocaleOverride", {}).get("locale", "").replace("_", "-")
        media = settings.get("Emulation.setEmulatedMedia", {})
        self._media = media.get("media", "")
        self._features = {feature["name"]: feature["value"] for feature in media.get("features", ())}

    async def reset(self) -> None:
        """Reset everything, network throttling included."""
        sent, self._sent = self._sent, {}
        self._features, self._media, self._agent, self._locale = {}, "", "", ""
        for method, (neutral, params) in _RESET.items():
            if method in sent:
                await self._sessions.send(neutral, **params)
        await self._tab.throttle.reset()

    async def _send_user_agent(self) -> None:
        languages = self._locale
        if "-" in languages:
            languages = f"{languages},{languages.partition('-')[0]}"
        # The language can only be set together with a user agent: by default, the browser's own.
        agent = self._agent or (self._tab.context.browser.version.user_agent if languages else "")
        params = user_agent_params(agent, languages) if agent else {"userAgent": ""}
        await self._set("Emulation.setUserAgentOverride", **params)

    async def _set(self, method: str, **params: Any) -> None:
        """Set it on the page, where Chrome validates it, remember it, then set it on the other frames."""
        try:
            await self._tab.session.send(method, **params)
        except CdpError as error:
            value = next(iter(params.values()), "")
            raise InvalidArgs(
                f"Chrome does not accept {value!r}: {error.message}.", hint="Check the value."
            ) from error
        self._sent[method] = params
        await self._sessions.send(method, exclude=self._tab.session, **params)
