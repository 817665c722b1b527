"""Phones, tablets and desktops by name: their screens and user agents."""

from dataclasses import dataclass

from tabwright.errors import InvalidArgs

_IOS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Mobile/15E148 Safari/604.1"
)
# Apple's tablets identify as desktop computers.
_IPADOS = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.5 Safari/605.1.15"
)
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 15; {model}) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{major}.0.0.0 Mobile Safari/537.36"
)
_ANDROID_TABLET = (
    "Mozilla/5.0 (Linux; Android 15; {model}) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{major}.0.0.0 Safari/537.36"
)


@dataclass(frozen=True, slots=True)
class Device:
    """A screen in CSS pixels, its density, and a user agent; "" is the browser's own."""

    name: str
    width: int
    height: int
    scale: float = 1.0
    mobile: bool = False
    user_agent: str = ""
    model: str = ""

    def agent(self, major: str) -> str:
        """Return its user agent, with the major version of the real browser if it is a Chrome."""
        return self.user_agent.format(model=self.model, major=major)


DEVICES = (
    Device("iPhone SE", 375, 667, 2, mobile=True, user_agent=_IOS),
    Device("iPhone 16", 393, 852, 3, mobile=True, user_agent=_IOS),
    Device("iPhone 16 Pro Max", 440, 956, 3, mobile=True, user_agent=_IOS),
    Device("Pixel 9", 412, 923, 2.625, mobile=True, user_agent=_ANDROID, model="Pixel 9"),
    Device("Pixel 9 Pro XL", 448, 997, 3, mobile=True, user_agent=_ANDROID, model="Pixel 9 Pro XL"),
    Device("Galaxy S24", 360, 780, 3, mobile=True, user_agent=_ANDROID, model="SM-S921B"),
    Device("Galaxy S24 Ultra", 384, 832, 3.75, mobile=True, user_agent=_ANDROID, model="SM-S928B"),
    Device("iPad mini", 744, 1133, 2, mobile=True, user_agent=_IPADOS),
    Device("iPad Pro 13", 1032, 1376, 2, mobile=True, user_agent=_IPADOS),
    Device("Galaxy Tab S9", 800, 1280, 2, mobile=True, user_agent=_ANDROID_TABLET, model="SM-X710"),
    Device("Laptop", 1280, 720),
    Device("MacBook Air", 1470, 956, 2),
    Device("Desktop", 1920, 1080),
    Device("Desktop 4K", 2560, 1440, 1.5),
)


def find_device(name: str) -> Device:
    """Return the device of that name, in upper or lower case."""
    for known in DEVICES:
        if known.name.casefold() == name.strip().casefold():
            return known
    names = ", ".join(known.name for known in DEVICES)
    raise InvalidArgs(f"Unknown device {name!r}.", hint=f"Choose one of {names}.")
