"""Pages that hang, or only seem to."""

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.tab import Tab
from tabwright.errors import PageFailed
from tests.web import Response, Web, never

KILLED = "The page hung and could not be interrupted, so its process was killed."

LOOP = "for (;;);"
SYNCHRONOUS_REQUEST = "const r = new XMLHttpRequest(); r.open('GET', '/never', false); r.send()"


async def open_hung_page(tab: Tab, web: Web, script: str) -> None:
    """Go to a page and let it hang."""
    web.route("/never", lambda _: never())
    web.route("/hung", lambda _: Response(status=204))
    hang = f"navigator.sendBeacon('/hung'); {script}"
    await tab.goto(
        web.page(
            f"<title>hung</title><button>Save</button><script>async function hang() {{ {hang} }}</script>"
        )
    )
    await tab.evaluate("void setTimeout(hang)")
    await web.wait_for_request("/hung")


@pytest.mark.parametrize("script", [LOOP, "while (1) await null", "/^(a+)+$/.test('a'.repeat(60) + 'b')"])
async def test_a_script_that_blocks_its_page_is_stopped_and_the_page_responds(
    tab: Tab, web: Web, script: str
) -> None:
    await open_hung_page(tab, web, script)
    with anyio.fail_after(60):
        assert await tab.title() == "hung"
    assert tab.watchdog.stopped_scripts == 1


async def test_a_script_sent_to_a_hung_page_runs_once_the_page_is_free(
    context: Context, tab: Tab, web: Web
) -> None:
    await open_hung_page(tab, web, LOOP)
    await context.new_tab()
    with anyio.fail_after(60):
        assert await tab.evaluate("document.title") == "hung"
    assert tab.watchdog.stopped_scripts == 1


async def test_a_snapshot_of_a_hung_page_is_taken_once_the_page_is_free(tab: Tab, web: Web) -> None:
    await open_hung_page(tab, web, LOOP)
    with anyio.fail_after(60):
        assert "Save" in str(await tab.snapshot())


async def test_other_tabs_respond_while_one_hangs(context: Context, web: Web) -> None:
    hung, other = await context.new_tab(), await context.new_tab(web.page("<title>other</title>"))
    await open_hung_page(hung, web, LOOP)
    titles: list[str] = []

    async def ask_hung() -> None:
        titles.append(await hung.title())

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(ask_hung)
            await anyio.wait_all_tasks_blocked()
            assert await other.title() == "other"
            assert await other.evaluate("1 + 1") == 2
            titles.append("of the other tab first")
    assert titles == ["of the other tab first", "hung"]


async def test_a_script_that_loops_during_load_is_stopped_and_the_page_loads(tab: Tab, web: Web) -> None:
    url = web.page("<title>loops</title><script>for (;;);</script><p>after")
    with anyio.fail_after(60):
        assert await tab.goto(url, timeout=15) == Navigated(url, 200, "OK")
        assert await tab.title() == "loops"


async def test_a_hung_page_can_be_left_for_another_of_the_same_site(tab: Tab, web: Web) -> None:
    await open_hung_page(tab, web, LOOP)
    with anyio.fail_after(60):
        url = web.page("<title>fresh</title>")
        assert await tab.goto(url, timeout=15) == Navigated(url, 200, "OK")
        assert await tab.title() == "fresh"


async def test_a_page_that_cannot_be_interrupted_is_killed_and_the_tab_works_on(tab: Tab, web: Web) -> None:
    await open_hung_page(tab, web, SYNCHRONOUS_REQUEST)
    with anyio.fail_after(60):
        with pytest.raises(PageFailed) as failed:
            await tab.title()
        assert failed.value.message == KILLED
        with pytest.raises(PageFailed, match=KILLED):
            await tab.evaluate("1")
        url = web.page("<title>fresh</title>")
        assert await tab.goto(url) == Navigated(url, 200, "OK")
        assert await tab.title() == "fresh"


async def test_a_hung_page_is_killed_just_as_fast_next_to_a_busy_one(
    context: Context, tab: Tab, web: Web
) -> None:
    busy = web.page(
        """<title>busy</title><script>
        const work = () => {
          for (const start = performance.now(); performance.now() < start + 8;);
          setTimeout(work, 8);
        };
        work();
        </script>"""
    )
    other = await context.new_tab(busy.replace(web.url, web.other_site))
    await open_hung_page(tab, web, SYNCHRONOUS_REQUEST)
    with anyio.fail_after(60), pytest.raises(PageFailed, match=KILLED):
        await tab.title()
    assert await other.title() == "busy"
    assert other.watchdog.stopped_scripts == 0


async def test_a_hung_frame_of_another_site_does_not_crash_the_page(tab: Tab, web: Web) -> None:
    web.route("/never", lambda _: never())
    inner = web.page(f"<script>setTimeout(() => {{ {SYNCHRONOUS_REQUEST} }}, 100)</script>")
    await tab.goto(
        web.page(f"<title>outer</title><iframe src={inner.replace(web.url, web.other_site)}></iframe>")
    )
    frame = tab.main_frame.children[0]
    await web.wait_for_request("/never")
    with anyio.fail_after(60):
        with pytest.raises(PageFailed) as failed:
            await frame.call("title")
        assert failed.value.message == KILLED
        assert await tab.title() == "outer"
        with pytest.raises(PageFailed, match=KILLED):
            await frame.call("title")


async def test_a_page_with_a_long_layout_is_given_time(tab: Tab, web: Web) -> None:
    """This layout takes Chrome seconds, but nothing hangs."""
    rows = "".join(
        f"<div><span>row {n}</span><a href=#{n}>link</a><button>press</button></div>" for n in range(50_000)
    )
    url = web.page(f"<title>huge</title>{rows}")
    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask_repeatedly, tab, group)
            assert await tab.goto(url, timeout=90) == Navigated(url, 200, "OK")
            assert await tab.evaluate("document.querySelectorAll('*').length", timeout=90) == 200_005
            group.cancel_scope.cancel()


async def ask_repeatedly(tab: Tab, group: object) -> None:
    while True:
        await tab.title()


async def test_a_call_during_a_slow_navigation_waits_and_breaks_nothing(tab: Tab, web: Web) -> None:
    """Chrome holds calls back while a navigation waits for its server."""
    release = anyio.Event()

    async def slow(_: object) -> Response:
        await release.wait()
        return Response("<title>slow</title>")

    web.route("/slow", slow)
    await tab.goto(web.page("<title>old</title><a href=/slow>go</a>"))
    titles: list[str] = []

    async def ask() -> None:
        titles.append(await tab.title())

    with anyio.fail_after(60):
        await tab.evaluate("document.querySelector('a').click()")
        await web.wait_for_request("/slow")
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            with anyio.move_on_after(4) as longer_than_the_hang_timeout:
                await anyio.sleep_forever()
            assert longer_than_the_hang_timeout.cancelled_caught
            assert titles == []
            release.set()
        # The answer comes from the new document, which may not have parsed its title yet.
        assert titles in (["slow"], [""])
        assert tab.url.endswith("/slow")
