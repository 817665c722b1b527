"""Cookies of a browser context, those that no script can see included."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from tabwright.cdp import CdpError, Params
from tabwright.errors import InvalidArgs, NotFound

if TYPE_CHECKING:
    from tabwright.browser.context import Context

_HOST = re.compile(r"\[[0-9a-fA-F:.]+\]|[^\s/\\:@?#%\[\]]+")

SameSite = Literal["Strict", "Lax", "None"]

# What Chrome tells of a cookie and takes back; the end of one that has none is left out.
_KEPT = (
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
    """One cookie. A domain with a leading dot means all hosts under it; no `expires` is until Chrome ends."""

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float | None = None
    http_only: bool = False
    secure: bool = False
    same_site: SameSite | None = None
    partition: str | None = None

    def goes_to(self, url: str) -> bool:
        """Whether a request for `url` would carry it."""
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
    """All cookies of one context."""

    def __init__(self, context: "Context") -> None:
        self._context = context

    async def all(self, *, url: str | None = None) -> list[Cookie]:
        """Return every cookie, or those that a request for `url` would carry."""
        answer = await self._context.browser.root.send("Storage.getCookies", **self._where())
        cookies = [_cookie(described) for described in answer["cookies"]]
        return [cookie for cookie in cookies if url is None or cookie.goes_to(url)]

    async def set(self, *cookies: Cookie) -> None:
        """Keep cookies, in place of any of the same name, domain and path."""
        for cookie in cookies:
            _check(cookie)
        described = [_described(cookie) for cookie in cookies]
        try:
            await self._context.browser.root.send("Storage.setCookies", cookies=described, **self._where())
        except CdpError as error:
            names = ", ".join(cookie.name for cookie in cookies)
            raise InvalidArgs(
                f"Chrome refuses the cookie {names}: {error.message}.",
                hint="Check domain, path, secure and same_site against each other.",
            ) from error

    async def raw(self) -> list[Params]:
        """Return every cookie with all that Chrome needs to take it back."""
        answer = await self._context.browser.root.send("Storage.getCookies", **self._where())
        return [_kept(told) for told in answer["cookies"] if not told.get("partitionKeyOpaque")]

    async def put_raw(self, cookies: list[Params]) -> int:
        """Keep cookies as `raw` told them; return how many Chrome refuses."""
        if not cookies:
            return 0
        root = self._context.browser.root
        try:
            await root.send("Storage.setCookies", cookies=cookies, **self._where())
        except CdpError:  # one bad cookie spoils them all
            if len(cookies) == 1:
                return 1
            half = len(cookies) // 2
            return await self.put_raw(cookies[:half]) + await self.put_raw(cookies[half:])
        return 0

    async def keep_only(self, cookies: list[Params]) -> None:
        """Forget all cookies that are none of these, whatever their values."""
        known = set(map(_place, cookies))
        await self.put_raw(
            [{**cookie, "expires": 1.0} for cookie in await self.raw() if _place(cookie) not in known]
        )

    async def delete(self, name: str, *, domain: str | None = None) -> int:
        """Forget the cookies of that name, of one domain or of all; return how many there were."""
        found = [
            cookie
            for cookie in await self.all()
            if cookie.name == name and (domain is None or cookie.domain.lstrip(".") == domain.lstrip("."))
        ]
        if not found:
            where = f" of {domain}" if domain else ""
            raise NotFound(f"There is no cookie {name!r}{where}.", hint="List the cookies, then choose one.")
        described = [{**_described(cookie), "expires": 1.0} for cookie in found]
        await self._context.browser.root.send("Storage.setCookies", cookies=described, **self._where())
        return len(found)

    async def clear(self) -> None:
        """Forget all of them."""
        await self._context.browser.root.send("Storage.clearCookies", **self._where())

    def _where(self) -> Params:
        return {"browserContextId": self._context.id} if self._context.id else {}


def _check(cookie: Cookie) -> None:
    if not cookie.domain.strip(". "):
        raise InvalidArgs(f"The cookie {cookie.name!r} has no domain.", hint="Give one such as example.com.")
    if not _HOST.fullmatch(cookie.domain):  # Chrome would take what it can make of it, for another host
        raise InvalidArgs(f"{cookie.domain!r} is no host.", hint="Give one such as example.com.")
    if any(ord(char) < 0x20 or char in ";\x7f" for char in cookie.name + cookie.value):
        raise InvalidArgs(
            f"The cookie {cookie.name!r} has a character that no cookie can have.",
            hint="Leave out semicolons and control characters.",
        )
    if cookie.expires is not None and not 0 < cookie.expires < 1e12:
        raise InvalidArgs(
            f"{cookie.expires:g} is no time at which a cookie ends.", hint="Give seconds since 1970."
        )


def _place(cookie: Params) -> tuple[str, ...]:
    """What tells one cookie from another."""
    partition = cookie.get("partitionKey", {})
    return (*(str(cookie[name]) for name in ("name", "domain", "path")), str(sorted(partition.items())))


def _kept(told: Params) -> Params:
    kept = {name: told[name] for name in _KEPT if name in told}
    return kept if told["session"] else {**kept, "expires": told["expires"]}


def _cookie(described: Params) -> Cookie:
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


def _described(cookie: Cookie) -> Params:
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
