"""Cookies of a browser context, including those that scripts cannot see."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, NotFound

if TYPE_CHECKING:
    from tabwright.browser.context import Context

_HOST = re.compile(r"\[[0-9a-fA-F:.]+\]|[^\s/\\:@?#%\[\]]+")

SameSite = Literal["Strict", "Lax", "None"]

# The fields that Chrome reports and takes back; `expires` is left out for a session cookie.
_RAW_FIELDS = (
    "name",
    "value",
    "domain",
    "path",
    "secure",
    "httpOnly",
    "sameSite",
    "priority",
    "sourceScheme",
    "sourcePort",
    "partitionKey",
)


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie. A leading dot in the domain includes subdomains; without `expires` it ends with Chrome."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float | None = None
    http_only: bool = False
    secure: bool = False
    same_site: SameSite | None = None
    partition: str | None = None

    def is_sent_to(self, url: str) -> bool:
        """Whether a request for `url` would send it."""
        parts = urlsplit(url)
        host, path = parts.hostname or "", parts.path or "/"
        under = self.domain.startswith(".") and f".{host}".endswith(self.domain)
        # Chrome counts this computer's own addresses as secure.
        safe = parts.scheme == "https" or host in ("localhost", "127.0.0.1", "::1")
        return (
            (host == self.domain or under)
            and (not self.secure or safe)
            and (path == self.path or path.startswith(self.path.rstrip("/") + "/"))
        )


class Cookies:
    """The cookies of the context: `all()`, `set()`, `delete()`, `clear()`."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    async def all(self, *, url: str | None = None) -> list[Cookie]:
        """Return every cookie, or those that a request for `url` would send."""
        answer = await self._send("Storage.getCookies")
        cookies = [_parse(described) for described in answer["cookies"]]
        return [cookie for cookie in cookies if url is None or cookie.is_sent_to(url)]

    async def set(self, *cookies: Cookie) -> None:
        """Set cookies; they replace those of the same name, domain and path."""
        for cookie in cookies:
            _check(cookie)
        described = [_describe(cookie) for cookie in cookies]
        try:
            await self._send("Storage.setCookies", cookies=described)
        except CdpError as error:
            names = ", ".join(cookie.name for cookie in cookies)
            raise InvalidArgs(
                f"Chrome refuses the cookie {names}: {error.message}.",
                hint="Check domain, path, secure and same_site against each other.",
            ) from error

    async def raw(self) -> list[Params]:
        """Return every cookie with all fields that Chrome needs to set it again."""
        answer = await self._send("Storage.getCookies")
        return [_raw(cookie) for cookie in answer["cookies"] if not cookie.get("partitionKeyOpaque")]

    async def set_raw(self, cookies: list[Params]) -> int:
        """Set cookies that `raw` returned; return how many Chrome refuses."""
        if not cookies:
            return 0
        try:
            await self._send("Storage.setCookies", cookies=cookies)
        except CdpError:  # one bad cookie fails them all
            if len(cookies) == 1:
                return 1
            half = len(cookies) // 2
            return await self.set_raw(cookies[:half]) + await self.set_raw(cookies[half:])
        return 0

    async def keep_only(self, cookies: list[Params]) -> None:
        """Delete all cookies but these; their values may differ."""
        known = set(map(_identity, cookies))
        await self.set_raw(
            [{**cookie, "expires": 1.0} for cookie in await self.raw() if _identity(cookie) not in known]
        )

    async def delete(self, name: str, *, domain: str | None = None) -> int:
        """Delete the cookies with that name, in one domain or in all; return how many there were."""
        found = [
            cookie
            for cookie in await self.all()
            if cookie.name == name and (domain is None or cookie.domain.lstrip(".") == domain.lstrip("."))
        ]
        if not found:
            where = f" on {domain}" if domain else ""
            raise NotFound(f"No cookie is named {name!r}{where}.", hint="List the cookies, then choose one.")
        described = [{**_describe(cookie), "expires": 1.0} for cookie in found]
        await self._send("Storage.setCookies", cookies=described)
        return len(found)

    async def clear(self) -> None:
        """Delete all cookies."""
        await self._send("Storage.clearCookies")

    async def _send(self, method: str, **params: Any) -> Params:
        return await self._context.browser.root.send(method, **params, **self._context.id_params)


def _check(cookie: Cookie) -> None:
    if not cookie.domain.strip(". "):
        raise InvalidArgs(f"The cookie {cookie.name!r} has no domain.", hint="Give one such as example.com.")
    if not _HOST.fullmatch(cookie.domain):  # Chrome would repair it to another host
        raise InvalidArgs(f"{cookie.domain!r} is not a host.", hint="Give one such as example.com.")
    if any(ord(char) < 0x20 or char in ";\x7f" for char in cookie.name + cookie.value):
        raise InvalidArgs(
            f"The cookie {cookie.name!r} has a character that cookies cannot contain.",
            hint="Leave out semicolons and control characters.",
        )
    if cookie.expires is not None and not 0 < cookie.expires < 1e12:
        raise InvalidArgs(f"Invalid expiry time {cookie.expires:g}.", hint="Give seconds since 1970.")


def _identity(cookie: Params) -> tuple[str, ...]:
    partition = cookie.get("partitionKey", {})
    return (*(str(cookie[name]) for name in ("name", "domain", "path")), str(sorted(partition.items())))


def _raw(cookie: Params) -> Params:
    fields = {name: cookie[name] for name in _RAW_FIELDS if name in cookie}
    return fields if cookie["session"] else {**fields, "expires": cookie["expires"]}


def _parse(described: Params) -> Cookie:
    return Cookie(
        name=described["name"],
        value=described["value"],
        domain=described["domain"],
        path=described["path"],
        expires=None if described["session"] else described["expires"],
        http_only=described["httpOnly"],
        secure=described["secure"],
        same_site=described.get("sameSite"),
        partition=described.get("partitionKey", {}).get("topLevelSite"),
    )


def _describe(cookie: Cookie) -> Params:
    described: Params = {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    }
    if cookie.expires is not None:
        described["expires"] = cookie.expires
    if cookie.same_site is not None:
        described["sameSite"] = cookie.same_site
    if cookie.partition is not None:
        described["partitionKey"] = {"topLevelSite": cookie.partition, "hasCrossSiteAncestor": False}
    return described
