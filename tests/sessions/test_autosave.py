"""Saved sessions: named ones are restored after a restart, and all of them after a browser crash."""

import os
import re
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import anyio
import orjson
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.saved_state.state import ContextState
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import Answer, Call
from tabwright.errors import Blocked, BrowserGone, Stale
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.limits import Limits
from tabwright.sessions.registry import Sessions
from tabwright.sessions.session import Session
from tabwright.sessions.store import Store
from tests.web import Request, Response, Web, never, serve_web

pytestmark = pytest.mark.usefixtures("as_owner")

SHOP = """<title>Shop</title><script>
    document.cookie = 'seen=yes';
    localStorage.visits = Number(localStorage.visits ?? 0) + 1;
    sessionStorage.step ??= 'pay';
</script>
<form><label>Name <input name=name></label><label>Password <input type=password></label>
<label>Size <select name=size><option>S<option>L</select></label>
<label><input type=checkbox name=gift> Gift</label></form>
<p style='height:5000px'>long<button>Pay</button>"""


class Desk:
    """A runner over a store, used as clients use it."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner

    async def do(
        self,
        action: str,
        *,
        session: str | None = "shop",
        who: str = "local:ann",
        tab: str | None = None,
        **args: object,
    ) -> Answer:
        principal = Principal(who)
        return await self.runner.run(
            Call(action=action, args=args, principal=principal, session=session, tab=tab)
        )

    async def script(self, script: str, *, session: str | None = "shop", who: str = "local:ann") -> object:
        opened = await self.runner.sessions.get(who, session)
        return await (await opened.tab()).evaluate(script)

    @property
    def only(self) -> Session:
        [session] = self.runner.sessions
        return session


@asynccontextmanager
async def desk_over(
    supervisor: BrowserSupervisor, folder: Path, limits: Limits | None = None
) -> AsyncIterator[Desk]:
    """Run a hub; when the block ends, it saves its named sessions."""
    async with Sessions.open(supervisor, limits, Store(folder / "sessions.db")) as sessions:
        yield Desk(Runner(CATALOG, sessions, Artifacts()))
    for session in sessions:
        await session.close()


@pytest.fixture
async def desk(supervisor: BrowserSupervisor, tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_over(supervisor, tmp_path) as desk:
        yield desk


async def wait_until_captured(session: Session, what: str) -> None:
    """Wait until the captured state of a session contains a text; it is captured soon after each call."""
    with anyio.fail_after(60):
        while what not in orjson.dumps(session.state).decode():
            await session.context.browser.root.send("Browser.getVersion")


async def kill(supervisor: BrowserSupervisor) -> None:
    """Kill the browser, as in a crash."""
    browser = await supervisor.browser()
    assert browser.pid is not None
    os.kill(browser.pid, signal.SIGKILL)
    with anyio.fail_after(60):
        await browser.wait_until_gone()


def with_cookies(web: Web, html: str) -> str:
    def answer(request: Request) -> Response:
        cookies = "id=7; HttpOnly; SameSite=Lax"
        return Response(f"<!doctype html><meta charset=utf-8>{html}", headers={"set-cookie": cookies})

    return web.route("/shop", answer)


async def test_a_named_session_is_restored_as_it_was(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    first, shop = web.page("<title>First</title><h1>First"), with_cookies(web, SHOP)
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("new_tab", url=web.page("<title>Other</title>", "/other"))
        await desk.do("new_tab", url=first)
        await desk.do("emulate", width=500, height=400)
        await desk.do("navigate", url=shop)
        await desk.do("fill", target="label=Name", value="Ann")
        await desk.do("fill", target="label=Password", value="hunter2")
        await desk.do("select_option", target="label=Size", options=["L"])
        await desk.do("check", target="label=Gift")
        await desk.script("scrollTo(0, 1234)")
        await desk.do("snapshot")
        before = (await desk.do("list_tabs")).text
    assert b"hunter2" not in (tmp_path / "sessions.db").read_bytes()
    asked = len(web.requests)
    async with desk_over(supervisor, tmp_path) as desk:
        listed = await desk.do("list_tabs")
        note, _, tabs = listed.text.partition("\n")
        assert note.startswith("Session shop is back: 2 tabs, from ")
        assert note.endswith(" s ago.")
        assert tabs == before
        pages = [request.path for request in web.requests[asked:] if request.path != "/favicon.ico"]
        assert sorted(pages) == ["/other", "/shop"]
        [again] = [request for request in web.requests[asked:] if request.path == "/shop"]
        assert "id=7" in again.headers["cookie"]
        assert await desk.script(
            "[document.cookie, localStorage.visits, sessionStorage.step, scrollY, innerWidth,"
            " document.forms[0].name.value, document.querySelector('[type=password]').value,"
            " document.forms[0].size.value, document.forms[0].gift.checked]"
        ) == ["seen=yes", "2", "pay", 1234, 500, "Ann", "", "L", True]
        with pytest.raises(Stale, match="@e1 is from before the session was restored"):
            await desk.do("click", target="@e1")
        assert "(200 OK)" in (await desk.do("back")).text
        assert await desk.script("document.body.innerText") == "First"


async def test_sessions_are_restored_after_a_browser_crash(tmp_path: Path, web: Web) -> None:
    async with BrowserSupervisor.open() as supervisor, desk_over(supervisor, tmp_path) as desk:
        for name in ("shop", None):
            await desk.do("navigate", session=name, url=web.page(f"<title>{name}</title>", f"/{name}"))
            await desk.script("localStorage.basket = 'full'", session=name)
            await desk.do("new_tab", session=name, url=web.page("<title>Second</title>"))
        for session in desk.runner.sessions:
            await wait_until_captured(session, "full")
        first = {session.name: session.tabs[0].id for session in desk.runner.sessions}
        await kill(supervisor)
        for name, title in (("shop", "Session shop"), (None, "Your session")):
            answer = await desk.do("get_page", session=name, tab=first[name or "default"])
            note, _, page = answer.text.partition("\n")
            assert note.startswith(f"{title} is back: 2 tabs, from ")
            assert f"/{name}" in page
            assert "is back" not in (await desk.do("get_page", session=name)).text
            assert await desk.script("localStorage.basket", session=name) == "full"


async def test_a_session_lost_before_it_was_saved_is_reported_by_the_next_call(
    tmp_path: Path, web: Web
) -> None:
    async with BrowserSupervisor.open() as supervisor, desk_over(supervisor, tmp_path) as desk:

        async def stuck() -> None:
            with pytest.raises(BrowserGone):
                await desk.do("navigate", url=web.route("/stuck", lambda _: never()))

        async with anyio.create_task_group() as group:
            group.start_soon(stuck)
            await web.wait_for_request("/stuck")
            await kill(supervisor)
        assert (await desk.do("list_tabs")).text == (
            "Session shop was lost: its browser exited before any of it was saved. It starts empty.\n"
            "No tab is open."
        )


async def test_a_browser_crash_while_restoring_fails_one_call_only(tmp_path: Path, web: Web) -> None:
    visits: list[Request] = []

    async def page(request: Request) -> Response:
        visits.append(request)
        if len(visits) == 2:
            await kill(supervisor)
        return Response("<title>Tough</title>")

    async with BrowserSupervisor.open() as supervisor, desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=web.route("/tough", page))
        await wait_until_captured(desk.only, "/tough")
        await kill(supervisor)
        with pytest.raises(BrowserGone):
            await desk.do("get_page")
        assert (await desk.do("get_page")).text.startswith("Session shop is back: 1 tab, from ")
        assert len(visits) == 3


async def test_all_cookies_and_the_storage_of_earlier_pages_are_restored(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    def frame(_: Request) -> Response:
        cookie = "part=1; Path=/; Secure; SameSite=None; Partitioned"
        return Response("<p>framed", headers={"set-cookie": cookie})

    inner = web.route("/frame", frame).replace(web.url, web.other_site)
    top = web.page(
        f"<script>document.cookie = 'plain=1; max-age=9000'</script><iframe src='{inner}'></iframe>"
    )
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=top)
        await desk.script(
            "localStorage.left = 'behind'; localStorage.half = '\\ud800'; sessionStorage.also = 'this'"
        )
        await wait_until_captured(desk.only, "behind")
        await desk.do("navigate", url=f"{web.other_site}/frame")
        await desk.script("localStorage.here = 'now'")
        cookies = await desk.only.context.cookies.raw()
    assert sorted(cookie["name"] for cookie in cookies) == ["part", "part", "plain"]
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("list_tabs")
        assert sorted(map(str, await desk.only.context.cookies.raw())) == sorted(map(str, cookies))
        assert await desk.script("localStorage.here") == "now"
        await desk.do("navigate", url=top)
        assert await desk.script("[{...localStorage}, sessionStorage.also]") == [{"left": "behind"}, "this"]


async def test_a_page_that_does_not_answer_keeps_its_last_saved_state(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=web.page("<button onclick='alert(1)'>Ask</button>", "/asks"))
        await desk.script("sessionStorage.draft = 'precious'")
        await desk.do("scroll", direction="down")
        await wait_until_captured(desk.only, "precious")
        await desk.do("click", target="text=Ask")
        assert desk.only.tabs[0].dialogs.open is not None
    async with desk_over(supervisor, tmp_path) as desk:
        assert "/asks" in (await desk.do("list_tabs")).text
        assert await desk.script("sessionStorage.draft") == "precious"


async def test_saving_a_session_does_not_stop_a_running_script(
    desk: Desk, web: Web, caplog: pytest.LogCaptureFixture
) -> None:
    await desk.do("navigate", url=web.page("<p>work"))
    desk.runner.sessions.touch(desk.only)
    busy = "(() => { const end = Date.now() + 2500; while (Date.now() < end); return 'done' })()"
    assert await desk.script(busy) == "done"
    assert "is stopped" not in caplog.text


async def test_a_page_that_cannot_be_restored_is_reported(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=web.page("<title>Still here</title>"))
        async with serve_web() as passing:
            await desk.do("new_tab", url=(gone := passing.page("<title>Gone soon</title>")))
        asking = "<script>if (sessionStorage.again) alert('Obey'); sessionStorage.again = 1</script>"
        await desk.do("new_tab", url=web.page(asking))
    async with desk_over(supervisor, tmp_path) as desk:
        note, _, tabs = (await desk.do("list_tabs")).text.partition("\n")
        _, second, third = (line.partition(":")[0].partition(" ")[0] for line in tabs.splitlines())
        assert note.startswith("Session shop is back: 3 tabs, from ")
        assert f"{third} did not load: it shows a dialog." in note
        refused = "the server refused the connection (ERR_CONNECTION_REFUSED)."
        assert f"{second} did not load: {gone} could not be loaded: {refused}" in note
        assert gone in tabs


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep every other process from reading a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        yield


async def test_a_locked_store_is_an_error_and_loses_nothing(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=web.page("<title>Shop</title>", "/shop"))
    async with desk_over(supervisor, tmp_path) as desk:
        with locked(tmp_path / "sessions.db"):
            for action in ("get_page", "get_page"):
                with pytest.raises(Blocked) as failure:
                    await desk.do(action)
                assert str(failure.value) == (
                    "Saved sessions cannot be read: database is locked. Nothing was lost or changed. "
                    "Try again; if it stays so, run `tabwright doctor`."
                )
            # Only a named session is promised to last.
            assert (await desk.do("get_page", session=None)).text == 'about:blank ""'
        assert (await desk.do("get_page")).text.endswith(f'{web.url}/shop "Shop" (200 OK)')


async def test_a_session_whose_stored_state_cannot_be_deleted_is_closed_and_reported(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("navigate", url=web.page("<title>Shop</title>", "/shop"))
    async with desk_over(supervisor, tmp_path) as desk:
        await desk.do("get_page")
        with locked_for_writing(tmp_path / "sessions.db"), pytest.raises(Blocked):
            await desk.do("close_session", name="shop")
        assert [session.name for session in desk.runner.sessions] == []
        assert (await desk.do("get_page")).text.endswith(f'{web.url}/shop "Shop" (200 OK)')


@contextmanager
def locked_for_writing(path: Path) -> Iterator[None]:
    """Keep every other process from changing a database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


async def test_a_saved_state_that_cannot_be_used_is_set_aside(
    supervisor: BrowserSupervisor, tmp_path: Path
) -> None:
    written_by_a_later_version = b'{"version": 99}'
    store = Store(tmp_path / "sessions.db")
    await store.put("local:ann", "shop", ContextState(time.time(), [], {}, [], None))
    await store.close()
    with closing(sqlite3.connect(tmp_path / "sessions.db")) as database, database:
        database.execute("UPDATE session SET state = ?", (written_by_a_later_version,))
    async with desk_over(supervisor, tmp_path) as desk:
        note = (await desk.do("get_page")).text.partition("\n")[0]
        await desk.do("navigate", url="about:blank")
    aside = re.search(r"It is now (shop\.unreadable-\S+);", note)
    assert aside is not None, note
    with closing(sqlite3.connect(tmp_path / "sessions.db")) as database:
        found = database.execute("SELECT state FROM session WHERE name = ?", (aside[1],)).fetchall()
    assert found == [(written_by_a_later_version,)]
