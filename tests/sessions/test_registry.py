"""Sessions: how many may be open, who may use them, when they are closed, and that they share nothing."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.cdp import Params
from tabwright.errors import Denied, NotFound, TabwrightError
from tabwright.sessions.limits import Limits
from tests.sessions.test_autosave import Desk, desk_over
from tests.web import Response, Web

pytestmark = pytest.mark.usefixtures("as_owner")


@pytest.fixture
async def desk(supervisor: BrowserSupervisor, tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_over(supervisor, tmp_path, Limits(max_sessions=3, shared=("team",))) as desk:
        yield desk


async def contexts_and_pages(supervisor: BrowserSupervisor) -> tuple[list[str], list[Params]]:
    """Return the contexts and pages that are open in Chrome."""
    root = (await supervisor.browser()).root
    contexts = await root.send("Target.getBrowserContexts")
    targets = await root.send("Target.getTargets")
    pages = [target for target in targets["targetInfos"] if target["type"] == "page"]
    return contexts["browserContextIds"], pages


async def test_a_session_beyond_the_limit_is_refused_until_one_is_closed(desk: Desk) -> None:
    for name in ("one", "two", "three"):
        await desk.do("list_tabs", session=name)
    with pytest.raises(Denied) as refused:
        await desk.do("list_tabs", session="four", who="local:bob")
    assert str(refused.value) == (
        "No more than 3 sessions may be open. Close one, or raise sessions.maxConcurrent."
    )
    await desk.do("list_tabs", session="one")
    await desk.do("close_session", name="two")
    assert (await desk.do("list_tabs", session="four", who="local:bob")).text == "No tab is open."


async def test_an_idle_session_is_closed_and_a_named_one_is_restored(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    before = await contexts_and_pages(supervisor)
    page = web.page("<title>Idle</title><iframe srcdoc='x'></iframe><script>window.open('/popup')</script>")
    web.page("<p>popup", "/popup")
    async with desk_over(supervisor, tmp_path, Limits(idle_seconds=1)) as desk:
        async with anyio.create_task_group() as group:
            for name in ("shop", None):
                held = await desk.runner.sessions.get("local:ann", name)
                group.start_soon((await held.tab()).closed.wait)
                await desk.do("navigate", session=name, url=page)
        with anyio.fail_after(60):
            while list(desk.runner.sessions) or await contexts_and_pages(supervisor) != before:
                await anyio.lowlevel.checkpoint()
        assert (await desk.do("list_sessions")).text == "shop: 1 tab (saved; restored when used)"
        assert "is back: 1 tab, from " in (await desk.do("list_tabs")).text
        assert (await desk.do("list_tabs", session=None)).text == (
            "Your session expired after 1 s without a call, so this one starts empty; "
            "a named session would have been kept.\nNo tab is open."
        )
        assert (await desk.do("list_tabs", session=None)).text == "No tab is open."


async def test_names_belong_to_their_owner(desk: Desk, web: Web) -> None:
    await desk.do("navigate", url=web.page("<title>Ann's</title>"))
    assert (await desk.do("list_tabs", who="local:bob")).text == "No tab is open."
    assert (await desk.do("list_sessions", who="local:bob")).text == "shop: 0 tabs"
    await desk.do("close_session", who="local:bob")
    assert (await desk.do("list_sessions")).text == "shop: 1 tab"
    with pytest.raises(NotFound, match="There is no session shop; yours: none"):
        await desk.do("close_session", who="local:bob", name="shop")


async def test_an_unnamed_session_is_refused_to_other_clients(desk: Desk, web: Web) -> None:
    await desk.do("navigate", session="auto-5f3a", url=web.page("<title>Mine</title>"))
    for action, args in (("list_tabs", {}), ("close_session", {"name": "auto-5f3a"})):
        with pytest.raises(Denied, match="Access denied: session auto-5f3a is another client's"):
            await desk.do(action, who="local:bob", session="auto-5f3a", **args)
    assert (await desk.do("list_sessions", session="auto-5f3a")).text == "auto-5f3a: 1 tab"


async def test_a_shared_session_is_closed_only_by_its_name(desk: Desk, web: Web) -> None:
    await desk.do("navigate", session="team", url=web.page("<title>Board</title>", "/board"))
    assert "/board" in (await desk.do("list_tabs", session="team", who="local:bob")).text
    assert (await desk.do("close_session", who="local:bob")).text == "No session was open."
    assert (await desk.do("list_sessions", who="local:bob")).text == "team: 1 tab"
    assert (await desk.do("close_session", who="local:bob", name="team")).text == "Closed session: team"
    assert (await desk.do("list_sessions")).text == "No session is open."


async def test_a_graceful_close_waits_for_calls_and_deletes_the_session(
    supervisor: BrowserSupervisor, tmp_path: Path, web: Web
) -> None:
    release, outcomes = anyio.Event(), list[str]()

    async def slow() -> Response:
        await release.wait()
        return Response("<title>Slow</title>")

    async def work(desk: Desk, name: str) -> None:
        try:
            outcomes.append((await desk.do("navigate", session=name, url=url)).text.splitlines()[0])
        except TabwrightError as error:
            outcomes.append(type(error).__name__)

    url = web.route("/slow", lambda _: slow())
    async with desk_over(supervisor, tmp_path) as desk, anyio.create_task_group() as group:
        await desk.do("list_tabs", session="kept")
        group.start_soon(work, desk, "shop")
        await web.wait_for_request("/slow")
        held = desk.runner.sessions.visible_to("local:ann")[1]
        async with anyio.create_task_group() as closing:
            closing.start_soon(lambda: desk.do("close_session", name="shop"))
            await anyio.wait_all_tasks_blocked()
            release.set()
        assert held.context not in held.context.browser.contexts
    assert len(outcomes) == 1
    assert "(200 OK)" in outcomes[0]
    async with desk_over(supervisor, tmp_path) as desk:
        assert (await desk.do("list_sessions")).text == "kept: 0 tabs (saved; restored when used)"
        assert (await desk.do("close_session", name="kept")).text == "Closed session: kept"
        assert (await desk.do("list_sessions")).text == "No session is open."


async def test_an_immediate_close_stops_running_calls(desk: Desk, web: Web) -> None:
    async def work() -> None:
        with pytest.raises(NotFound, match="is closed"):
            await desk.do("navigate", url=url)

    url = web.route("/stuck", lambda _: stuck())

    async def stuck() -> Response:
        await anyio.sleep_forever()
        return Response()

    async with anyio.create_task_group() as group:
        group.start_soon(work)
        await web.wait_for_request("/stuck")
        assert (await desk.do("close_session", graceful=False)).text == "Closed session: shop"


NAMES = ("shop", "mail")
OWNERS = ("local:ann", "local:bob")
WRITES = st.tuples(
    st.sampled_from(OWNERS),
    st.sampled_from((*NAMES, None)),
    st.sampled_from(("cookie", "local", "session")),
    st.sampled_from(("a", "b")),
    st.integers(0, 999),
)
WRITE = {
    "cookie": "document.cookie = '{key}={value}; max-age=9000'",
    "local": "localStorage.{key} = {value}",
    "session": "sessionStorage.{key} = {value}",
}
READ = """({
    cookie: Object.fromEntries(document.cookie.split('; ').filter(Boolean).map(pair => pair.split('='))),
    local: {...localStorage}, session: {...sessionStorage},
})"""
Held = dict[str, dict[str, str]]


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(writes=st.lists(WRITES, min_size=6, max_size=14))
async def test_sessions_do_not_share_cookies_or_storage(
    supervisor: BrowserSupervisor,
    tmp_path_factory: pytest.TempPathFactory,
    web: Web,
    writes: list[tuple[str, str | None, str, str, int]],
) -> None:
    page = web.page("<p>page")
    folder, expected = tmp_path_factory.mktemp("sessions"), dict[tuple[str, str | None], Held]()
    async with desk_over(supervisor, folder) as desk:
        for owner, name, kind, key, value in writes:
            if (owner, name) not in expected:
                await desk.do("navigate", session=name, who=owner, url=page)
                expected[owner, name] = {"cookie": {}, "local": {}, "session": {}}
            expected[owner, name][kind][key] = str(value)
            await desk.script(WRITE[kind].format(key=key, value=value), session=name, who=owner)
        await assert_stored(desk, expected)
    async with desk_over(supervisor, folder) as desk:  # the same after they are restored
        await assert_stored(desk, {key: held for key, held in expected.items() if key[1]})


async def assert_stored(desk: Desk, expected: dict[tuple[str, str | None], Held]) -> None:
    for (owner, name), held in expected.items():
        await desk.do("list_tabs", session=name, who=owner)
        assert await desk.script(READ, session=name, who=owner) == held
