"""Sessions that last: what a named session holds comes back, and what is to be gone is gone."""

import os
import signal
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.keeper import Keeper
from tabwright.errors import BrowserGone, Denied, NotFound, Stale
from tabwright.policy.identity import Principal
from tabwright.runner import Answer, Call, Runner
from tabwright.sessions.registry import Limits, Sessions
from tabwright.sessions.session import Session
from tabwright.sessions.store import Store
from tests.web import Request, Response, Web, never

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
        held = await self.runner.sessions.get(who, session)
        return await (await held.tab()).evaluate(script)

    @property
    def only(self) -> Session:
        [session] = self.runner.sessions
        return session


@asynccontextmanager
async def desk_over(keeper: Keeper, folder: Path, limits: Limits | None = None) -> AsyncIterator[Desk]:
    """A hub's life: at its end, what was named is written down."""
    async with Sessions.open(keeper, limits, Store(folder / "sessions.db")) as sessions:
        yield Desk(Runner(CATALOG, sessions, Artifacts()))
    for session in sessions:
        await session.close()


@pytest.fixture
async def desk(keeper: Keeper, tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_over(keeper, tmp_path) as desk:
        yield desk


def with_cookies(web: Web, html: str) -> str:
    def answer(request: Request) -> Response:
        cookies = "id=7; HttpOnly; SameSite=Lax"
        return Response(f"<!doctype html><meta charset=utf-8>{html}", headers={"set-cookie": cookies})

    return web.route("/shop", answer)


async def test_a_named_session_comes_back_as_it_was(keeper: Keeper, tmp_path: Path, web: Web) -> None:
    first, shop = web.page("<title>First</title><h1>First"), with_cookies(web, SHOP)
    async with desk_over(keeper, tmp_path) as desk:
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
    async with desk_over(keeper, tmp_path) as desk:
        listed = await desk.do("list_tabs")
        note, _, tabs = listed.text.partition("\n")
        assert note.startswith("Session shop is back: 2 tabs, from ")
        assert note.endswith(" s ago.")
        assert tabs == before
        pages = [request.path for request in web.requests[asked:] if request.path != "/favicon.ico"]
        assert sorted(pages) == ["/other", "/shop"]
        assert "id=7" in web.requests[-1].headers["cookie"] or "id=7" in next(
            request.headers["cookie"] for request in web.requests[asked:] if request.path == "/shop"
        )
        assert await desk.script(
            "[document.cookie, localStorage.visits, sessionStorage.step, scrollY, innerWidth,"
            " document.forms[0].name.value, document.querySelector('[type=password]').value,"
            " document.forms[0].size.value, document.forms[0].gift.checked]"
        ) == ["seen=yes", "2", "pay", 1234, 500, "Ann", "", "L", True]
        with pytest.raises(Stale, match="@e1 is from before the session came back."):
            await desk.do("click", target="@e1")
        assert "(200 OK)" in (await desk.do("back")).text
        assert await desk.script("document.body.innerText") == "First"
