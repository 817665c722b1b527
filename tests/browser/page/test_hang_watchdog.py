"""Pages that hold their thread, or only seem to."""

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.tab import Tab
from tabwright.errors import PageFailed
from tests.web import Response, Web, never

ENDED = "The page was stuck beyond stopping; its process was ended."

LOOP = "for (;;);"
SYNCHRONOUS_REQUEST = "const r = new XMLHttpRequest(); r.open('GET', '/never', false); r.send()"


async def stuck(tab: Tab, web: Web, script: str) -> None:
    """Go to a page and let it get stuck."""
    web.route("/never", lambda _: never())
    web.route("/stuck", lambda _: Response(status=204))
    hang = f"navigator.sendBeacon('/stuck'); {script}"
    await tab.goto(
        web.page(
            f"<title>stuck</title><button>Save</button><script>async function hang() {{ {hang} }}</script>"
        )
    )
    await tab.evaluate("void setTimeout(hang)")
    await web.requested("/stuck")


@pytest.mark.parametrize("script", [LOOP, "while (1) await null", "/^(a+)+$/.test('a'.repeat(60) + 'b')"])
async def test_a_page_stuck_in_a_script_of_its_own_is_stopped_and_answers(
    tab: Tab, web: Web, script: str
) -> None:
    await stuck(tab, web, script)
    with anyio.fail_after(10):
        assert await tab.title() == "stuck"
    assert tab.watch.stopped == 1


async def test_a_script_sent_to_a_stuck_page_runs_once_the_page_is_stopped(
    context: Context, tab: Tab, web: Web
) -> None:
    await stuck(tab, web, LOOP)
    await context.new_tab()
    with anyio.fail_after(10):
        assert await tab.evaluate("document.title") == "stuck"
    assert tab.watch.stopped == 1


async def test_a_snapshot_of_a_stuck_page_is_taken_once_the_page_is_stopped(tab: Tab, web: Web) -> None:
    await stuck(tab, web, LOOP)
    with anyio.fail_after(20):
        assert "Save" in str(await tab.snapshot())


async def test_other_tabs_answer_while_one_is_stuck(context: Context, web: Web) -> None:
    hung, other = await context.new_tab(), await context.new_tab(web.page("<title>other</title>"))
    await stuck(hung, web, LOOP)
    titles: list[str] = []

    async def ask_hung() -> None:
        titles.append(await hung.title())

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(ask_hung)
            await anyio.wait_all_tasks_blocked()
            assert await other.title() == "other"
            assert await other.evaluate("1 + 1") == 2
            titles.append("of the other tab first")
    assert titles == ["of the other tab first", "stuck"]


async def test_a_page_that_loops_while_it_loads_is_stopped_and_arrives(tab: Tab, web: Web) -> None:
    url = web.page("<title>loops</title><script>for (;;);</script><p>after")
    with anyio.fail_after(20):
        assert await tab.goto(url, timeout=15) == Navigated(url, 200, "OK")
        assert await tab.title() == "loops"


async def test_a_stuck_page_can_be_left_for_another_of_the_same_site(tab: Tab, web: Web) -> None:
    await stuck(tab, web, LOOP)
    with anyio.fail_after(20):
        url = web.page("<title>fresh</title>")
        assert await tab.goto(url, timeout=15) == Navigated(url, 200, "OK")
        assert await tab.title() == "fresh"


async def test_a_page_that_cannot_be_stopped_loses_its_process_and_the_tab_goes_on(
    tab: Tab, web: Web
) -> None:
    await stuck(tab, web, SYNCHRONOUS_REQUEST)
    with anyio.fail_after(20):
        with pytest.raises(PageFailed) as failed:
            await tab.title()
        assert failed.value.message == ENDED
        with pytest.raises(PageFailed, match="stuck beyond stopping"):
            await tab.evaluate("1")
        url = web.page("<title>fresh</title>")
        assert await tab.goto(url) == Navigated(url, 200, "OK")
        assert await tab.title() == "fresh"


async def test_a_page_that_cannot_be_stopped_is_ended_as_soon_beside_a_busy_one(
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
    await stuck(tab, web, SYNCHRONOUS_REQUEST)
    with anyio.fail_after(10), pytest.raises(PageFailed, match="stuck beyond stopping"):
        await tab.title()
    assert await other.title() == "busy"
    assert other.watch.stopped == 0


async def test_a_stuck_frame_of_another_site_does_not_take_the_page_with_it(tab: Tab, web: Web) -> None:
    web.route("/never", lambda _: never())
    inner = web.page(f"<script>setTimeout(() => {{ {SYNCHRONOUS_REQUEST} }}, 100)</script>")
    await tab.goto(
        web.page(f"<title>outer</title><iframe src={inner.replace(web.url, web.other_site)}></iframe>")
    )
    frame = tab.main_frame.children[0]
    await web.requested("/never")
    with anyio.fail_after(20):
        with pytest.raises(PageFailed) as failed:
            await frame.call("title")
        assert failed.value.message == ENDED
        assert await tab.title() == "outer"
        with pytest.raises(PageFailed, match="stuck beyond stopping"):
            await frame.call("title")


async def test_a_page_at_long_work_without_script_is_given_time(tab: Tab, web: Web) -> None:
    """Laying this out keeps the thread in Chrome's own code for seconds; nothing is stuck."""
    rows = "".join(
        f"<div><span>row {n}</span><a href=#{n}>link</a><button>press</button></div>" for n in range(50_000)
    )
    url = web.page(f"<title>huge</title>{rows}")
    with anyio.fail_after(120):
        async with anyio.create_task_group() as group:
            group.start_soon(ask_again_and_again, tab, group)
            assert await tab.goto(url, timeout=90) == Navigated(url, 200, "OK")
            assert await tab.evaluate("document.querySelectorAll('*').length", timeout=90) == 200_005
            group.cancel_scope.cancel()


async def ask_again_and_again(tab: Tab, group: object) -> None:
    while True:
        await tab.title()


async def test_a_call_made_while_a_server_is_awaited_waits_and_harms_nothing(tab: Tab, web: Web) -> None:
    """Chrome keeps calls back while a navigation waits for its server."""
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
        await web.requested("/slow")
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            with anyio.move_on_after(4) as longer_than_the_watch_waits:
                await anyio.sleep_forever()
            assert longer_than_the_watch_waits.cancelled_caught
            assert titles == []
            release.set()
        # The answer comes from the new document, which may not have parsed its title yet.
        assert titles in (["slow"], [""])
        assert tab.url.endswith("/slow")
