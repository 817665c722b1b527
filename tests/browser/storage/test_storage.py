"""Cookies, web storage and databases in real Chromium."""

import time

import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.context import Context
from tabwright.browser.storage.cookies import Cookie
from tabwright.browser.storage.indexed_db import Database, Records, Store
from tabwright.browser.storage.web_storage import Storage, clear_origin
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound
from tests.web import Response, Web

NO_ICON = "<link rel=icon href='data:,'>"


async def test_cookies_have_all_attributes_including_http_only_ones(
    context: Context, tab: Tab, web: Web
) -> None:
    line = "a=1; Path=/shop; HttpOnly; SameSite=Lax; Max-Age=1000"
    web.route("/shop/x", lambda _: Response(NO_ICON, headers={"set-cookie": line}))
    await tab.goto(f"{web.url}/shop/x")
    [cookie] = await context.cookies.all()
    assert cookie.expires is not None
    assert time.time() + 900 < cookie.expires < time.time() + 1100
    assert cookie == Cookie(
        "a", "1", "127.0.0.1", "/shop", cookie.expires, http_only=True, secure=False, same_site="Lax"
    )
    assert await tab.evaluate("document.cookie") == ""


async def test_a_cookie_that_was_set_is_sent_and_read_back_unchanged(
    context: Context, tab: Tab, web: Web
) -> None:
    tomorrow = float(round(time.time()) + 86_400)
    cookies = [
        Cookie("all", "x=y", "127.0.0.1", "/", tomorrow, True, False, "Strict"),
        Cookie("session", "ü", "127.0.0.1"),
        Cookie("wide", "1", ".shop.example", "/a", secure=True, same_site="None"),
        Cookie("host", "1", "shop.example"),
        Cookie("part", "1", "cdn.example", secure=True, same_site="None", partition="https://shop.example"),
    ]
    await context.cookies.set(*cookies)
    assert sorted(await context.cookies.all(), key=lambda c: c.name) == sorted(cookies, key=lambda c: c.name)
    await tab.goto(web.page(NO_ICON, "/page"))
    sent = (await web.wait_for_request("/page")).headers["cookie"]
    assert sorted(sent.encode("latin-1").decode().split("; ")) == ["all=x=y", "session=ü"]


async def test_cookies_of_a_url_are_those_a_request_would_send(context: Context) -> None:
    await context.cookies.set(
        Cookie("host", "1", "shop.example"),
        Cookie("wide", "1", ".shop.example"),
        Cookie("path", "1", "shop.example", "/cart"),
        Cookie("secure", "1", "shop.example", secure=True),
        Cookie("other", "1", "example.com"),
    )

    async def names(url: str) -> list[str]:
        return sorted(cookie.name for cookie in await context.cookies.all(url=url))

    assert await names("https://shop.example/cart/1") == ["host", "path", "secure", "wide"]
    assert await names("http://shop.example/cartoon") == ["host", "wide"]
    assert await names("https://www.shop.example/") == ["wide"]
    assert await names("https://notshop.example/") == []


async def test_cookies_are_deleted_by_name_and_domain(context: Context) -> None:
    remaining = Cookie("b", "1", "one.example")
    await context.cookies.set(
        Cookie("a", "1", "one.example"),
        Cookie("a", "1", ".one.example", "/x"),
        Cookie("a", "1", "two.example"),
        remaining,
    )
    assert await context.cookies.delete("a", domain="one.example") == 2
    assert await context.cookies.delete("a") == 1
    assert await context.cookies.all() == [remaining]
    with pytest.raises(NotFound) as failure:
        await context.cookies.delete("a", domain="one.example")
    assert failure.value.message == "No cookie is named 'a' on one.example."
    await context.cookies.clear()
    assert await context.cookies.all() == []


async def test_contexts_do_not_share_cookies(browser: Browser, context: Context) -> None:
    await context.cookies.set(Cookie("a", "1", "one.example"))
    other = await browser.new_context()
    try:
        assert await other.cookies.all() == []
    finally:
        await other.close()


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("cookie", "message"),
    [
        (Cookie("a", "1", ""), "The cookie 'a' has no domain."),
        (Cookie("a", "1", "not a host"), "'not a host' is not a host."),
        (Cookie("a", "1", "https://x.example"), "'https://x.example' is not a host."),
        (Cookie("a", "1;2", "x.example"), "The cookie 'a' has a character that cookies cannot contain."),
        (Cookie("a", "1", "x.example", expires=-5), "Invalid expiry time -5."),
        (Cookie("__Host-a", "1", "x.example"), "Chrome refuses the cookie __Host-a: Invalid cookie fields."),
    ],
)
async def test_an_invalid_cookie_is_refused(context: Context, cookie: Cookie, message: str) -> None:
    with pytest.raises(InvalidArgs) as failure:
        await context.cookies.set(cookie)
    assert failure.value.message == message
    assert await context.cookies.all() == []


@pytest.mark.parametrize("kind", ["local", "session"])
async def test_web_storage_is_read_and_changed(tab: Tab, web: Web, kind: str) -> None:
    await tab.goto(web.page(f"{NO_ICON}<script>{kind}Storage.setItem('a', '1')</script>"))
    storage = tab.storage.local if kind == "local" else tab.storage.session
    await storage.set("ключ", "x" * 100_000)
    await storage.set("length", "2")
    assert await storage.all() == {"a": "1", "ключ": "x" * 100_000, "length": "2"}
    assert await tab.evaluate(f"{kind}Storage.getItem('length')") == "2"
    assert await storage.get("a") == "1"
    await storage.remove("a")
    await storage.remove("a")
    assert await storage.get("a") is None
    await storage.clear()
    assert await tab.evaluate(f"{kind}Storage.length") == 0


async def test_a_frame_of_another_site_has_its_own_storage(tab: Tab, web: Web) -> None:
    web.page("<script>localStorage.setItem('inside', '1')</script>", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>"))
    [frame] = tab.main_frame.children
    assert await Storage(frame).local.all() == {"inside": "1"}
    assert await tab.storage.local.all() == {}


async def test_a_full_storage_is_reported(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    with pytest.raises(Blocked) as failure:
        await tab.storage.local.set("big", "x" * 6_000_000)
    assert failure.value.message == f"The storage of {web.url} is full."


@pytest.mark.parametrize("url", ["about:blank", "data:text/html,x"])
async def test_an_opaque_origin_has_no_storage(tab: Tab, url: str) -> None:
    await tab.goto(url)
    with pytest.raises(Blocked) as failure:
        await tab.storage.local.all()
    assert failure.value.message == f"{url} has no storage: its origin is opaque, or forbids it."
    with pytest.raises(Blocked, match="has no databases"):
        await tab.storage.databases.all()
    with pytest.raises(InvalidArgs, match="is not an origin"):
        await clear_origin(tab, url)


FILL = """
    const request = indexedDB.open("shop", 3);
    request.onupgradeneeded = () => {
      const items = request.result.createObjectStore("items", {keyPath: "id"});
      items.createIndex("by-name", "name");
      for (let id = 1; id <= 50; id++) items.add({id, name: "item " + id});
      const odd = request.result.createObjectStore("odd");
      odd.add(new Date(0), 1);
      odd.add(new Map([["a", 1n]]), "k");
      odd.add({blob: new Blob(["abc"], {type: "text/plain"}), bytes: new Uint8Array(4), x: undefined}, [1, 2]);
      const loop = {}; loop.self = loop; odd.add(loop, "loop");
      odd.add("x".repeat(20000), "long");
    };
    globalThis.db = await new Promise(ok => { request.onsuccess = () => ok(request.result) });
    return 0;
"""


async def test_databases_are_listed_and_read_while_the_page_uses_them(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    assert await tab.storage.databases.all() == []
    await tab.evaluate(FILL)
    databases = tab.storage.databases
    assert await databases.all() == [
        Database("shop", 3, [Store("items", 50, "id", ["by-name"]), Store("odd", 5, None, [])])
    ]
    assert await databases.read("shop", "items", skip=48, limit=5) == Records(
        [(49, {"id": 49, "name": "item 49"}), (50, {"id": 50, "name": "item 50"})], 50
    )
    assert await databases.read("shop", "items", skip=50) == Records([], 50)
    odd = await databases.read("shop", "odd")
    assert odd == Records(
        [
            (1, "1970-01-01T00:00:00.000Z"),
            ("k", {"a": "1n"}),
            ("long", '"' + "x" * 9999 + "…"),
            ("loop", {"self": "(seen above)"}),
            ([1, 2], {"blob": "(3 bytes of text/plain)", "bytes": "(4 bytes)"}),
        ],
        5,
    )


async def test_a_database_is_emptied_while_the_page_uses_it(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    await tab.evaluate(FILL)
    assert await tab.storage.databases.clear("shop") == ["items", "odd"]
    assert (await tab.storage.databases.read("shop", "items")).total == 0


async def test_an_unknown_database_or_store_is_not_created(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    await tab.evaluate(FILL)
    databases = tab.storage.databases
    with pytest.raises(NotFound) as failure:
        await databases.read("shops", "items")
    assert str(failure.value) == 'Unknown database "shops"; known: shop. Choose one of them.'
    with pytest.raises(NotFound) as failure:
        await databases.read("shop", "item")
    assert str(failure.value) == 'Unknown store "item"; known: items, odd. Choose one of them.'
    with pytest.raises(InvalidArgs, match="Cannot read 0 records after 0"):
        await databases.read("shop", "items", limit=0)
    assert [database.name for database in await databases.all()] == ["shop"]


async def test_clearing_an_origin_clears_everything_of_it_and_nothing_else(
    context: Context, tab: Tab, web: Web
) -> None:
    await tab.goto(web.page(NO_ICON, "/page"))
    await tab.evaluate(FILL)
    await tab.evaluate(
        "localStorage.a = 1; sessionStorage.b = 2; document.cookie = 'c=3'; db.close(); return 0"
    )
    other = Cookie("kept", "1", "other.example")
    await context.cookies.set(other)
    await clear_origin(tab, f"{web.url}/anything")
    assert await tab.storage.local.all() == {}
    assert await tab.storage.session.all() == {}
    assert await tab.storage.databases.all() == []
    assert await context.cookies.all() == [other]
