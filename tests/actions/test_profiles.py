"""Profiles: their own browsers, logins that last however the browser exits, and the rules in them."""

import base64
import os
import re
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.abc
import anyio.lowlevel
import pytest

from tabwright.app import running
from tabwright.browser.process.find import find_browser
from tabwright.browser.process.launch import needs_sandbox_off
from tabwright.call import Answer, Call
from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound, PageFailed
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.session import Session
from tabwright.settings import Settings
from tests.processes import members, wait_for_group_exit
from tests.web import Web, run_server


@dataclass(frozen=True)
class ProfileUser:
    """A runner with its own home folder, and its user."""

    runner: Runner
    folder: Path

    async def do(
        self, action: str, *, session: str | None = None, principal: Principal | None = None, **args: Any
    ) -> Answer:
        """Run an action as the user, or as another principal."""
        caller = principal or Principal("local:me", folder=self.folder)
        return await self.runner.run(Call(action=action, args=args, principal=caller, session=session))

    async def script(self, script: str, session: str = "shop") -> Any:
        """Run a script in the page's own world."""
        return (await self.do("evaluate", session=session, script=script)).result.model_dump()["value"]

    async def pid(self, profile: str = "shop") -> int:
        """The process of a profile's browser, launched if needed."""
        return int((await self.do("launch_browser", profile_id=profile)).result.model_dump()["pid"])


Open = Callable[..., Any]


@pytest.fixture
def open_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Open a runner with settings; the next one with the same home finds what this one left."""
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))

    @asynccontextmanager
    async def open_runner(**chosen: Any) -> AsyncIterator[ProfileUser]:
        given = {"calls_per_second": 10_000, "security": {"block_eval": False}, **chosen}
        async with running(Settings(**given), Home.find()) as runner:
            yield ProfileUser(runner, tmp_path)

    return open_runner


LOGIN = """<title>Shop</title><body style="height:5000px"><script>
    document.cookie = 'login=ann; max-age=9999';
    document.cookie = 'visit=7';
    localStorage.basket = 'full';
    addEventListener('beforeunload', event => event.preventDefault());
</script>"""
KEPT = "[document.cookie, localStorage.basket]"


async def test_a_profile_keeps_its_logins_and_pages_see_its_language_and_zone(
    open_user: Open, web: Web, tmp_path: Path
) -> None:
    page, empty = web.page(LOGIN, "/login"), web.page("<title>Empty</title>", "/empty")
    async with open_user() as user:
        made = await user.do(
            "create_profile", name="Shop", lang="pt-BR", timezone="Asia/Tokyo", tags=["eu"], custom_args=["--mute-audio"]
        )  # fmt: skip
        folder = tmp_path / "profiles" / "shop"
        assert made.text == f"shop: Shop; pt-BR; Asia/Tokyo; #eu; --mute-audio; {folder}"
        launched = await user.do("launch_browser", profile_id="shop")
        pid = launched.result.model_dump()["pid"]
        assert re.fullmatch(rf"Started: shop: Shop; process {pid}; since \S+; 1 tab", launched.text)
        await user.do("navigate", session="shop", url=page)
        await user.do("click", session="shop", target="css=body")  # only a page that was clicked may ask
        seen = "[navigator.language, navigator.languages, Intl.DateTimeFormat().resolvedOptions().timeZone]"
        assert await user.script(seen) == ["pt-BR", ["pt-BR", "pt"], "Asia/Tokyo"]
        assert web.requests[0].headers["accept-language"] == "pt-BR,pt;q=0.9"
        assert (await user.do("list_sessions")).text == "shop: 1 tab"
        assert folder.stat().st_mode & 0o777 == 0o700
        killed = await user.do("kill_browser", profile_id="shop")
        assert killed.text == f"Killed the browser of profile shop, process {pid}; its files are saved."
        await wait_for_group_exit(pid)  # a renderer may take a moment longer on a busy machine
        with pytest.raises(NotFound, match="The browser of profile shop is not running"):
            await user.do("kill_browser", profile_id="shop")
        assert (await user.do("list_sessions")).text == "No session is open."
        # The session cookie is restored as well: without it, most logins would be lost.
        await user.do("navigate", session="shop", url=empty)
        assert await user.script(KEPT) == ["login=ann; visit=7", "full"]
        # Chrome drops session cookies with its last window, so there is always one.
        closed = (await user.do("close_tab", session="shop", id="t1")).text
        assert closed == "t2 (current): about:blank"
        await user.do("navigate", session="shop", url=empty)
        assert await user.script(KEPT) == ["login=ann; visit=7", "full"]
    async with open_user() as user:
        listed = (await user.do("list_tabs", session="shop")).text.splitlines()
        assert re.fullmatch(r"Session shop is back: 1 tab, from \d+ s ago\.", listed[0])
        assert listed[1:] == [f"t2 (current): {empty}"]
        assert await user.script(KEPT) == ["login=ann; visit=7", "full"]


async def test_clients_that_launch_at_once_share_one_browser(open_user: Open, web: Web) -> None:
    page = web.page("<title>Shared</title>")
    async with open_user() as user:
        await user.do("create_profile", name="Shop")
        others = [Principal(f"local:{number}") for number in range(4)]
        pids: set[int] = set()

        async def launch(principal: Principal) -> None:
            pids.add(
                (await user.do("launch_browser", principal=principal, profile_id="shop")).result.model_dump()[
                    "pid"
                ]
            )

        async with anyio.create_task_group() as group:
            for principal in others:
                group.start_soon(launch, principal)
        [pid] = pids
        await user.do("navigate", session="shop", url=page, principal=others[0])
        assert (
            await user.do("list_tabs", session="shop", principal=others[1])
        ).text == f"t1 (current): {page}"
        running = await user.do("get_running_browsers")
        assert re.fullmatch(rf"shop: Shop; process {pid}; since \S+; 1 tab", running.text)
        again = await user.do("launch_browser", profile_id="shop")
        assert again.text.startswith(f"Already running: shop: Shop; process {pid}; ")
        with pytest.raises(Blocked, match="The browser of profile shop is running"):
            await user.do("delete_profile", id="shop")
        gone = await user.do("delete_profile", id="shop", force=True, delete_folder=True)
        assert gone.text == f"Deleted profile shop. {user.folder}/profiles/shop was deleted."
        assert (members(pid), list((user.folder / "profiles").iterdir())) == ([], [])
        assert (await user.do("list_profiles")).text == "There are no profiles."


WRITING = """<title>Writing</title><body style="height:5000px"><script>
    document.cookie = 'login=ann; max-age=9999';
    document.cookie = 'visit=7';
    let count = 0;
    setInterval(() => { count++; localStorage.one = localStorage.two = count; document.cookie = `count=${count}; max-age=99` }, 0);
</script>"""


async def test_a_profile_survives_a_kill_of_its_browser_during_a_write(open_user: Open, web: Web) -> None:
    page, empty = web.page(WRITING, "/writing"), web.page("<title>Empty</title>", "/empty")
    async with open_user() as user:
        await user.do("create_profile", name="Shop")
        for _ in range(2):
            await user.do("navigate", session="shop", url=page)
            await user.do("scroll", session="shop", direction="down", pixels=700)
            await user.do("new_tab", session="shop", url=empty)
            await wait_until_saved(user, "/empty")
            pid, browser = await user.pid(), session_of(user).context.browser
            os.kill(pid, signal.SIGKILL)
            await browser.wait_until_gone()
            back = (await user.do("list_tabs", session="shop")).text.splitlines()
            assert back[0].startswith("Session shop is back: 2 tabs, from ")
            assert [line.partition(": ")[2] for line in back[1:]] == [page, empty]
            assert await user.pid() != pid
            cookies = (await user.do("get_cookies", session="shop")).text
            assert "login=ann" in cookies
            assert "visit=7" in cookies
            one, two = await user.script("[localStorage.one, localStorage.two]")
            assert abs(int(one) - int(two)) <= 1
            first = back[1].partition(":")[0].partition(" ")[0]
            await user.do("switch_tab", session="shop", id=first)
            assert await user.script("scrollY") == 700
            await user.do("close_tab", session="shop", id=back[2].partition(":")[0].partition(" ")[0])
        # A logout lasts, though the killed browser had not saved it.
        await user.do("kill_browser", profile_id="shop")
        await user.do("new_tab", session="shop", url=empty)
        await user.do("delete_cookies", session="shop", name="login")
        await wait_until_saved(user, "/empty")
        await wait_until_cookie_gone(user, "login")
        browser = session_of(user).context.browser
        os.kill(await user.pid(), signal.SIGKILL)
        await browser.wait_until_gone()
        cookies = (await user.do("get_cookies", session="shop")).text
        assert ("login=ann" in cookies, "visit=7" in cookies) == (False, True)


def session_of(user: ProfileUser) -> Session:
    """The open session of the profile."""
    return next(session for session in user.runner.sessions if session.name == "shop")


async def wait_until_saved(user: ProfileUser, words: str) -> None:
    """Wait until the runner has noticed a state of the session."""
    session = session_of(user)
    with anyio.fail_after(60):
        while session.state is None or words not in str(session.state.tabs):
            await user.do("list_sessions")


async def wait_until_cookie_gone(user: ProfileUser, cookie: str) -> None:
    """Wait until the runner has noticed that a cookie is gone."""
    session = session_of(user)
    with anyio.fail_after(60):
        while session.state is None or f"'{cookie}'" in str(session.state.cookies):
            await user.do("list_tabs", session="shop")


async def test_a_folder_in_use_is_left_alone_and_stale_lock_files_do_not_matter(
    open_user: Open, tmp_path: Path
) -> None:
    folder = tmp_path / "profiles" / "mine"
    async with open_user() as user, foreign_chrome(folder) as pid:
        await user.do("create_profile", name="Shop", user_data_dir=str(folder))
        with pytest.raises(Blocked) as refused:
            await user.do("launch_browser", profile_id="shop")
        assert str(refused.value) == (
            f"Another browser has {folder} open: process {pid}. Close that browser first."
        )
        os.killpg(pid, signal.SIGKILL)
        await wait_for_group_exit(pid)
        assert (folder / "SingletonLock").is_symlink()
        assert await user.pid() != pid
        await user.do("kill_browser", profile_id="shop")
        # A lock file of ours from another container is ignored; another program's is not.
        (folder / "SingletonLock").symlink_to("elsewhere-1")
        with pytest.raises(
            Blocked, match=f"has {folder} open: process 1 on elsewhere. If nothing runs there, delete"
        ):
            await user.do("launch_browser", profile_id="shop")
        (folder / "tabwright-owner").write_text("elsewhere 1")
        assert await user.pid()


@asynccontextmanager
async def foreign_chrome(folder: Path) -> AsyncIterator[int]:
    """A browser that another program started in a folder."""
    words = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"]
    words += ["--no-sandbox"] if needs_sandbox_off() else []
    command = [str(find_browser(None)), *words]
    process = await anyio.open_process(command, start_new_session=True)
    try:
        with anyio.fail_after(60):
            while not answers(folder / "SingletonSocket"):
                await anyio.lowlevel.checkpoint()
        yield int(str((folder / "SingletonLock").readlink()).rpartition("-")[2])
    finally:
        for pid in members(process.pid):
            os.kill(pid, signal.SIGKILL)
        await process.aclose()


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(str(path.resolve()))
        except OSError:
            return False
    return True


@asynccontextmanager
async def proxy_with_password(request_heads: list[str]) -> AsyncIterator[str]:
    """A proxy that answers every request itself, for the user ann only."""
    wanted = base64.b64encode(b"ann:p@ss").decode()

    async def serve(stream: anyio.abc.ByteStream) -> None:
        async with stream:
            head = b""
            while b"\r\n\r\n" not in head:
                head += await stream.receive()
            request_heads.append(head.decode().partition("\r\n")[0])
            if f"basic {wanted}".lower() not in head.decode().lower():
                await stream.send(
                    b"HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm=x\r\ncontent-length: 0\r\n\r\n"
                )
                return
            body = b"<title>through the proxy</title>"
            await stream.send(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n" + body
            )

    async with run_server(serve) as port:
        yield f"127.0.0.1:{port}"


async def test_a_profile_uses_its_proxy_and_url_rules_apply_first(open_user: Open, tmp_path: Path) -> None:
    request_heads: list[str] = []
    rules = {
        "block_eval": False,
        "allowed_url_patterns": ("http://shop.example/*", "https://*"),
        "allowed_proxies": ("127.0.0.1:*",),
    }
    async with proxy_with_password(request_heads) as proxy, open_user(security=rules) as user:
        made = await user.do("create_profile", name="Shop", proxy_server=f"http://ann:p%40ss@{proxy}")
        assert made.result.model_dump()["proxy_server"] == f"http://ann:•••@{proxy}"
        arrived = await user.do("navigate", session="shop", url="http://shop.example/page")
        assert arrived.result.model_dump()["title"] == "through the proxy"
        assert request_heads[0] == "GET http://shop.example/page HTTP/1.1"
        with pytest.raises(Denied):
            await user.do("navigate", session="shop", url="http://other.example/")
        got = await user.script("fetch('http://other.example/').then(() => 'out', () => 'refused')")
        assert (got, [head for head in request_heads if "other.example" in head]) == ("refused", [])
        assert [
            head for head in request_heads if " http://shop.example/" not in head
        ] == []  # from Chrome itself
        await user.do("kill_browser", profile_id="shop")
        await user.do("update_profile", id="shop", proxy_server=f"http://ann:wrong@{proxy}")
        with pytest.raises(PageFailed):
            await user.do("navigate", session="shop", url="http://shop.example/again")
    answer = (tmp_path / "audit.jsonl").read_text()
    assert "create_profile" in answer
    assert "p%40ss" not in answer


async def test_only_the_user_can_use_profiles(open_user: Open, web: Web) -> None:
    guest = Principal("token:guest", frozenset(("read", "act", "evaluate")))
    admin = Principal("token:boss", frozenset(("read", "act", "admin", "manage")))
    async with open_user(sessions={"max_concurrent": 2}) as user:
        await user.do("create_profile", name="Shop", principal=admin)
        for action, args in {"list_profiles": {}, "launch_browser": {"profile_id": "shop"}}.items():
            with pytest.raises(Denied, match=f"{action} needs the scope admin"):
                await user.do(action, principal=guest, **args)
        with pytest.raises(Denied, match="create_profile needs the scope manage"):
            await user.do("create_profile", principal=guest, name="Mine")
        for attempt in (
            user.do("list_tabs", principal=guest, session="shop"),
            user.do("close_session", principal=guest, name="shop"),
        ):
            with pytest.raises(Denied, match="Access denied: shop is a profile, which belongs to the user"):
                await attempt
        assert (await user.do("list_tabs", principal=admin, session="shop")).text == "No tab is open."
        assert (await user.do("list_sessions", principal=guest)).text == "No session is open."
        # A profile's session counts towards the limit; beyond it, its browser is not started.
        await user.do("list_tabs", session="other")
        await user.do("create_profile", name="Second")
        with pytest.raises(Denied, match="No more than 2 sessions may be open"):
            await user.do("launch_browser", profile_id="second")
        assert len((await user.do("get_running_browsers")).text.splitlines()) == 1
        assert not (user.folder / "profiles" / "second").exists()


async def test_an_invalid_profile_is_listed_with_the_others_and_can_be_fixed(open_user: Open) -> None:
    async with open_user() as user:
        file, folders = user.folder / "tabwright.toml", user.folder / "profiles"
        file.write_text(
            '[[profiles]]\nid = "bank"\nlang = "x"\nheadless = "maybe"\n'
            '[[profiles]]\nid = "shop"\n'
            f'[[profiles]]\nid = "{"A" * 9_000}"\n'
        )
        listed = await user.do("list_profiles")
        cannot = f"The profile 'bank' in {file} is invalid: lang: unknown language 'x'; use one such as fr or pt-BR; "
        shop, bank, long = listed.text.splitlines()
        assert shop == f"shop: shop; {folders}/shop"
        assert bank == f"{cannot}headless: Input should be a valid boolean, unable to interpret input."
        assert re.fullmatch(rf"The profile 'A{{99}}… in {file} is invalid: id: invalid id 'A+…", long)
        assert len(long) == 501
        assert listed.result.model_dump()["damaged"] == [bank, long]
        for action, args in {"get_profile": {"id": "bank"}, "launch_browser": {"profile_id": "bank"}}.items():
            with pytest.raises(InvalidArgs, match=re.escape(cannot)):
                await user.do(action, **args)
        mended = await user.do("update_profile", id="bank", lang="fr", headless=True)
        assert mended.text == f"bank: bank; fr; {folders}/bank"


async def test_an_idle_profile_closes_its_browser_and_restores_its_tabs_later(
    open_user: Open, web: Web
) -> None:
    page = web.page(LOGIN, "/login")
    async with open_user(sessions={"timeout_minutes": 0.02}) as user:
        await user.do("create_profile", name="Shop")
        await user.do("navigate", session="shop", url=page)
        pid = await user.pid()
        await wait_for_group_exit(pid)
        back = (await user.do("list_tabs", session="shop")).text
        assert back.startswith("Session shop is back: 1 tab, from ")
        assert await user.script(KEPT) == ["login=ann; visit=7", "full"]


@pytest.mark.usefixtures("screen")
async def test_a_profile_with_a_window_survives_closing_its_last_tab(open_user: Open, web: Web) -> None:
    page = web.page(LOGIN, "/login")
    async with open_user() as user:
        made = await user.do("create_profile", name="Shop", headless=False)
        assert made.text == f"shop: Shop; with a window; {user.folder}/profiles/shop"
        await user.do("navigate", session="shop", url=page)
        pid = await user.pid()
        await user.do("close_tab", session="shop", id="t1")
        assert "Headless" not in await user.script("navigator.userAgent")
        await user.do("navigate", session="shop", url=page)
        assert (await user.pid(), await user.script(KEPT)) == (pid, ["login=ann; visit=7", "full"])


async def test_a_window_needs_a_display_and_a_used_folder_needs_permission(
    open_user: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    other = tmp_path_factory.mktemp("chrome")
    (other / "Local State").write_text("{}")
    async with open_user() as user:
        await user.do("create_profile", name="Shop", headless=False)
        with pytest.raises(Blocked, match="A browser window needs a display, and there is none"):
            await user.do("launch_browser", profile_id="shop")
        with pytest.raises(Denied, match=f"{other} is not in {tmp_path}/profiles"):
            await user.do("create_profile", name="Theft", user_data_dir=str(other))
        new = tmp_path / "profiles" / "elsewhere"
        await user.do("create_profile", name="New", user_data_dir=str(new))
        with pytest.raises(InvalidArgs, match="was not created by Tabwright"):
            await user.do("delete_profile", id="new", delete_folder=True)
        with pytest.raises(NotFound, match="There is no profile none; there are: shop, new"):
            await user.do("get_profile", id="none")
