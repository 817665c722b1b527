"""Cookies, web storage and databases of sites."""

from typing import Any, Literal
from urllib.parse import urlsplit

import orjson
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.storage.cookies import Cookie, SameSite
from tabwright.browser.storage.web_storage import WebStorage, clear_origin
from tabwright.browser.tab import Tab
from tabwright.results import Done
from tabwright.sessions.session import Session
from tabwright.text import format_count

Kind = Literal["local", "session"]


class GetCookies(Args):
    """Arguments of `get_cookies`."""

    url: str | None = Field(
        None, min_length=1, max_length=2_000, description="Only cookies sent to this URL."
    )


class CookieLine(Result):
    """One cookie."""

    name: str = Field(description="Its name.")
    value: str = Field(description="Its value.")
    domain: str = Field(description="Hosts that get it.")
    path: str = Field(description="Paths that get it.")
    expires: float | None = Field(description="Expiry in seconds since 1970; null: with the session.")
    http_only: bool = Field(description="Whether scripts cannot see it.")
    secure: bool = Field(description="Whether it is sent over https only.")

    def __str__(self) -> str:
        return f"{self.name}={self.value} ({self.domain}{self.path}{', HttpOnly' if self.http_only else ''})"


class CookieList(Result):
    """Cookies of the session."""

    own_lines = 0
    exact = True

    cookies: list[CookieLine] = Field(description="The cookies.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.cookies)) or "There are no cookies."


class SetCookie(Args):
    """Arguments of `set_cookie`."""

    name: str = Field(min_length=1, max_length=4_096, description="Its name.")
    value: str = Field(max_length=4_096, description="Its value.")
    domain: str = Field(
        max_length=1_000,
        description="Host that gets it; .example.com for subdomains too; empty: the page's host.",
    )
    path: str = Field("/", min_length=1, max_length=2_000, description="Paths that get it.")
    expires: float | None = Field(
        None, description="Expiry in seconds since 1970; default: with the session."
    )
    http_only: bool = Field(False, description="Hide it from scripts.")
    secure: bool = Field(False, description="Send it over https only.")
    same_site: SameSite | None = Field(None, description="Whether requests from other sites carry it.")


class DeleteCookies(Args):
    """Arguments of `delete_cookies`."""

    name: str | None = Field(
        None, min_length=1, max_length=4_096, description="Only the cookie of this name; default: all."
    )
    domain: str | None = Field(None, min_length=1, max_length=1_000, description="Only of this host.")


class GetStorage(Args):
    """Arguments of `get_storage`."""

    kind: Kind = Field("local", description="localStorage or sessionStorage.")
    key: str | None = Field(None, min_length=1, max_length=10_000, description="Only this item.")


class SetStorage(Args):
    """Arguments of `set_storage`."""

    key: str = Field(max_length=10_000, description="Name of the item.")
    value: str = Field(max_length=5_000_000, description="Its value.")
    kind: Kind = Field("local", description="localStorage or sessionStorage.")


class ClearStorage(Args):
    """Arguments of `clear_storage`."""

    kind: Kind = Field("local", description="localStorage or sessionStorage.")
    key: str | None = Field(
        None, min_length=1, max_length=10_000, description="Only this item; default: all."
    )


class Stored(Result):
    """Items of a storage."""

    own_lines = 0
    exact = True

    items: dict[str, str] = Field(description="The items by name.")

    def __str__(self) -> str:
        return orjson.dumps(self.items).decode()


class ReadDatabase(Args):
    """Arguments of `read_database`."""

    database: str = Field(min_length=1, max_length=1_000, description="Name of the database.")
    store: str = Field(min_length=1, max_length=1_000, description="Name of the store in it.")
    skip: int = Field(0, ge=0, description="Records to skip.")
    limit: int = Field(20, ge=1, le=1_000, description="Maximum records.")


class Databases(Result):
    """Databases, or records of one."""

    own_lines = 0
    exact = True

    value: Any = Field(description="The databases or records.")

    def __str__(self) -> str:
        return orjson.dumps(self.value, default=str).decode()


class ClearSite(Args):
    """Arguments of `clear_site`."""

    url: str = Field(min_length=1, max_length=2_000, description="Any URL of the site.")


@action(Effect.READ, does=("read_data",), group="Storage")
async def get_cookies(session: Session, args: GetCookies) -> CookieList:
    """List the cookies, HttpOnly ones included."""
    found = await session.context.cookies.all(url=args.url)
    return CookieList(cookies=[_line(cookie) for cookie in found])


@action(Effect.ACT, does=("change_data",), group="Storage", idempotent=True)
async def set_cookie(session: Session, args: SetCookie) -> Done:
    """Set a cookie."""
    values = args.model_dump()
    values["domain"] = args.domain or urlsplit((await session.tab()).url).hostname or ""
    await session.context.cookies.set(Cookie(**values))
    return Done(deed="Set the cookie", target=args.name)


@action(Effect.DESTROY, does=("change_data",), group="Storage", idempotent=True)
async def delete_cookies(session: Session, args: DeleteCookies) -> Done:
    """Delete a cookie, or all."""
    if args.name is None:
        await session.context.cookies.clear()
        return Done(deed="Deleted", target="all cookies")
    count = await session.context.cookies.delete(args.name, domain=args.domain)
    return Done(deed=f"Deleted {format_count(count, 'cookie')} named", target=args.name)


@action(Effect.READ, does=("read_data",), group="Storage")
async def get_storage(tab: Tab, args: GetStorage) -> Stored:
    """Read localStorage or sessionStorage of the page's site."""
    storage = _storage(tab, args.kind)
    if args.key is None:
        return Stored(items=await storage.all())
    value = await storage.get(args.key)
    return Stored(items={} if value is None else {args.key: value})


@action(Effect.ACT, does=("change_data",), group="Storage", observed=False, idempotent=True)
async def set_storage(tab: Tab, args: SetStorage) -> Done:
    """Set an item of localStorage or sessionStorage."""
    await _storage(tab, args.kind).set(args.key, args.value)
    return Done(deed="Set the item", target=args.key)


@action(Effect.DESTROY, does=("change_data",), group="Storage", observed=False, idempotent=True)
async def clear_storage(tab: Tab, args: ClearStorage) -> Done:
    """Remove an item of localStorage or sessionStorage, or all."""
    storage = _storage(tab, args.kind)
    if args.key is None:
        await storage.clear()
        return Done(deed="Cleared", target=f"{args.kind} storage")
    await storage.remove(args.key)
    return Done(deed="Removed the item", target=args.key)


@action(Effect.READ, does=("look",), group="Storage")
async def list_databases(tab: Tab, args: Args) -> Databases:
    """List the IndexedDB databases of the page's site."""
    found = await tab.storage.databases.all()
    stores = {each.name: {store.name: store.count for store in each.stores} for each in found}
    return Databases(value=stores)


@action(Effect.READ, does=("read_data",), group="Storage")
async def read_database(tab: Tab, args: ReadDatabase) -> Databases:
    """Read records of an IndexedDB store."""
    found = await tab.storage.databases.read(args.database, args.store, skip=args.skip, limit=args.limit)
    return Databases(value={"total": found.total, "records": found.records})


@action(Effect.DESTROY, does=("change_data",), group="Storage", observed=False, idempotent=True)
async def clear_site(tab: Tab, args: ClearSite) -> Done:
    """Delete all data of a site in this session."""
    whole = await clear_origin(tab, args.url)
    but = "" if whole else ", except cookies: they are the user's logins"
    return Done(deed="Deleted all data of", target=f"{args.url}{but}")


def _storage(tab: Tab, kind: Kind) -> WebStorage:
    return tab.storage.local if kind == "local" else tab.storage.session


def _line(cookie: Cookie) -> CookieLine:
    return CookieLine(
        name=cookie.name,
        value=cookie.value,
        domain=cookie.domain,
        path=cookie.path,
        expires=cookie.expires,
        http_only=cookie.http_only,
        secure=cookie.secure,
    )
