"""What sites keep in the browser: cookies, storage, databases."""

from typing import Any, Literal
from urllib.parse import urlsplit

import orjson
from pydantic import Field

from tabwright.action import Args, Effect, Result, action
from tabwright.browser.storage.cookies import Cookie, SameSite
from tabwright.browser.storage.web_storage import WebStorage, forget_origin
from tabwright.browser.tab import Tab
from tabwright.results import Done
from tabwright.sessions.session import Session
from tabwright.text import format_count

Kind = Literal["local", "session"]


class CookieUrl(Args):
    """Arguments of `get_cookies`."""

    url: str | None = Field(None, max_length=2_000, description="Only cookies that go to this address.")


class CookieLine(Result):
    """One cookie."""

    name: str = Field(description="Its name.")
    value: str = Field(description="Its value.")
    domain: str = Field(description="Which hosts get it.")
    path: str = Field(description="Which paths get it.")
    expires: float | None = Field(description="When it ends, in seconds since 1970; null with the session.")
    http_only: bool = Field(description="Whether scripts cannot see it.")

    def __str__(self) -> str:
        return f"{self.name}={self.value} ({self.domain}{self.path}{', HttpOnly' if self.http_only else ''})"


class CookieList(Result):
    """Cookies of the session."""

    own_lines = 0

    cookies: list[CookieLine] = Field(description="The cookies.")

    def __str__(self) -> str:
        return "\n".join(map(str, self.cookies)) or "There are no cookies."


class SetCookie(Args):
    """Arguments of `set_cookie`."""

    name: str = Field(min_length=1, max_length=4_096, description="Its name.")
    value: str = Field(max_length=4_096, description="Its value.")
    domain: str = Field(
        max_length=1_000,
        description="Host that gets it; .example.com for all under it; empty for the host of the page.",
    )
    path: str = Field("/", max_length=2_000, description="Which paths get it.")
    expires: float | None = Field(
        None, description="When it ends, in seconds since 1970; with the session when not given."
    )
    http_only: bool = Field(False, description="Hide it from scripts.")
    secure: bool = Field(False, description="Send it over https only.")
    same_site: SameSite | None = Field(None, description="Whether requests from other sites carry it.")


class DeleteCookies(Args):
    """Arguments of `delete_cookies`."""

    name: str | None = Field(
        None, max_length=4_096, description="Only the cookie of this name; all when not given."
    )
    domain: str | None = Field(None, max_length=1_000, description="Only of this host.")


class Items(Args):
    """Arguments of `get_storage`."""

    kind: Kind = Field("local", description="localStorage or sessionStorage.")
    key: str | None = Field(None, max_length=10_000, description="Only this item.")


class SetItem(Args):
    """Arguments of `set_storage`."""

    key: str = Field(max_length=10_000, description="Name of the item.")
    value: str = Field(max_length=5_000_000, description="Its value.")
    kind: Kind = Field("local", description="localStorage or sessionStorage.")


class ClearItems(Args):
    """Arguments of `clear_storage`."""

    kind: Kind = Field("local", description="localStorage or sessionStorage.")
    key: str | None = Field(None, max_length=10_000, description="Only this item; all when not given.")


class Stored(Result):
    """Items of a storage."""

    own_lines = 0

    items: dict[str, str] = Field(description="The items by name.")

    def __str__(self) -> str:
        return orjson.dumps(self.items).decode()


class Database(Args):
    """Arguments of `read_database`."""

    database: str = Field(min_length=1, max_length=1_000, description="Name of the database.")
    store: str = Field(min_length=1, max_length=1_000, description="Name of the store in it.")
    skip: int = Field(0, ge=0, description="Records to pass over.")
    limit: int = Field(20, ge=1, le=1_000, description="Records to read at most.")


class Databases(Result):
    """Databases, or records of one."""

    own_lines = 0

    value: Any = Field(description="What there is.")

    def __str__(self) -> str:
        return orjson.dumps(self.value, default=str).decode()


class Site(Args):
    """Arguments of `clear_site`."""

    url: str = Field(min_length=1, max_length=2_000, description="Any address of the site.")


@action(Effect.READ, group="Storage")
async def get_cookies(session: Session, args: CookieUrl) -> CookieList:
    """List the cookies, HttpOnly ones included."""
    found = await session.context.cookies.all(url=args.url)
    return CookieList(cookies=[_line(cookie) for cookie in found])


@action(Effect.ACT, group="Storage", idempotent=True)
async def set_cookie(session: Session, args: SetCookie) -> Done:
    """Set a cookie."""
    told = args.model_dump()
    told["domain"] = args.domain or urlsplit((await session.tab()).url).hostname or ""
    await session.context.cookies.set(Cookie(**told))
    return Done(deed="Set the cookie", target=args.name)


@action(Effect.DESTROY, group="Storage", idempotent=True)
async def delete_cookies(session: Session, args: DeleteCookies) -> Done:
    """Delete a cookie, or all."""
    if args.name is None:
        await session.context.cookies.clear()
        return Done(deed="Deleted", target="all cookies")
    count = await session.context.cookies.delete(args.name, domain=args.domain)
    return Done(deed=f"Deleted {format_count(count, 'cookie')} called", target=args.name)


@action(Effect.READ, group="Storage")
async def get_storage(tab: Tab, args: Items) -> Stored:
    """Read localStorage or sessionStorage of the page's site."""
    storage = _storage(tab, args.kind)
    if args.key is None:
        return Stored(items=await storage.all())
    value = await storage.get(args.key)
    return Stored(items={} if value is None else {args.key: value})


@action(Effect.ACT, group="Storage", observed=False, idempotent=True)
async def set_storage(tab: Tab, args: SetItem) -> Done:
    """Set an item of localStorage or sessionStorage."""
    await _storage(tab, args.kind).set(args.key, args.value)
    return Done(deed="Set the item", target=args.key)


@action(Effect.DESTROY, group="Storage", observed=False, idempotent=True)
async def clear_storage(tab: Tab, args: ClearItems) -> Done:
    """Remove an item of localStorage or sessionStorage, or all."""
    storage = _storage(tab, args.kind)
    if args.key is None:
        await storage.clear()
        return Done(deed="Cleared", target=f"{args.kind} storage")
    await storage.remove(args.key)
    return Done(deed="Removed the item", target=args.key)


@action(Effect.READ, group="Storage")
async def list_databases(tab: Tab, args: Args) -> Databases:
    """List the IndexedDB databases of the page's site."""
    found = await tab.storage.databases.all()
    stores = {each.name: {store.name: store.count for store in each.stores} for each in found}
    return Databases(value=stores)


@action(Effect.READ, group="Storage")
async def read_database(tab: Tab, args: Database) -> Databases:
    """Read records of an IndexedDB store."""
    found = await tab.storage.databases.read(args.database, args.store, skip=args.skip, limit=args.limit)
    return Databases(value={"total": found.total, "records": found.records})


@action(Effect.DESTROY, group="Storage", observed=False, idempotent=True)
async def clear_site(tab: Tab, args: Site) -> Done:
    """Delete everything a site keeps in this session."""
    whole = await forget_origin(tab, args.url)
    but = "" if whole else ", but for cookies: they are the user's logins"
    return Done(deed="Deleted what is kept for", target=f"{args.url}{but}")


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
    )
