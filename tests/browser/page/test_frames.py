"""Frames of the same site and of other sites."""

from contextlib import suppress

import anyio
import pytest

from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.page.frame import Frame
from tabwright.browser.tab import Tab
from tabwright.errors import NotFound, Stale, TimedOut
from tests.web import Response, Web, never


def on_other_site(web: Web, url: str) -> str:
    """Return the same URL on another site."""
    return url.replace(web.url, web.other_site)


async def titles(tab: Tab) -> list[str]:
    """Return the titles of all frames; our world and the page's own must agree."""
    ours = [await frame.call("title") for frame in tab.frames]
    theirs = [await evaluate(frame, "document.title") for frame in tab.frames]
    assert ours == theirs
    return ours


async def wait_for_frames(tab: Tab, *urls: str) -> list[Frame]:
    """Wait until the tab's frames have these URLs, and return the frames."""
    with anyio.fail_after(60):
        await tab.until(lambda: [frame.url for frame in tab.frames] == list(urls))
        await tab.traffic.idle(0.1)
    return list(tab.frames)


async def test_a_frame_of_the_same_site_shares_the_session_of_the_page(tab: Tab, web: Web) -> None:
    inner = web.page("<title>inner</title>")
    await tab.goto(web.page(f"<title>outer</title><iframe name=shop src={inner}></iframe>"))
    (frame,) = tab.main_frame.children
    assert (frame.url, frame.name, frame.parent) == (inner, "shop", tab.main_frame)
    assert frame.session is tab.session
    assert await titles(tab) == ["outer", "inner"]


async def test_a_frame_of_another_site_has_its_own_session(tab: Tab, web: Web) -> None:
    inner = on_other_site(web, web.page("<title>inner</title>"))
    await tab.goto(web.page(f"<title>outer</title><iframe src={inner}></iframe>"))
    (frame,) = tab.main_frame.children
    assert (frame.url, frame.parent) == (inner, tab.main_frame)
    assert frame.session is not tab.session
    assert await titles(tab) == ["outer", "inner"]


async def test_frames_nest_across_sites_in_any_order(tab: Tab, web: Web) -> None:
    third = web.page("<title>third</title>")
    second = on_other_site(web, web.page(f"<title>second</title><iframe src={third}></iframe>"))
    first = web.page(
        f"<title>first</title><iframe src={second}></iframe><iframe srcdoc='<title>beside</title>'>"
    )
    await tab.goto(web.page(f"<title>outer</title><iframe src={first}></iframe>"))
    assert await titles(tab) == ["outer", "first", "second", "beside", "third"]
    frames = list(tab.frames)
    assert [frame.parent.url if frame.parent else None for frame in frames] == [
        None, tab.url, first, first, second,
    ]  # fmt: skip


async def test_a_frame_can_navigate_to_another_site_and_back(tab: Tab, web: Web) -> None:
    here = web.page("<title>here</title>")
    there = on_other_site(web, web.page("<title>there</title>"))
    outer = web.page(f"<title>outer</title><iframe src={here}></iframe>")
    await tab.goto(outer)
    (frame,) = tab.main_frame.children
    for address, title in ((there, "there"), (here, "here"), (there, "there"), (here, "here")):
        await tab.evaluate("void (document.querySelector('iframe').src = args[0])", address)
        await wait_for_frames(tab, outer, address)
        assert tab.main_frame.children == [frame]
        assert await titles(tab) == ["outer", title]
        assert (frame.session is tab.session) == (address == here)


async def test_a_page_can_navigate_to_another_site_and_back(tab: Tab, web: Web) -> None:
    here, there = web.page("<title>here</title>"), on_other_site(web, web.page("<title>there</title>"))
    for address, title in ((here, "here"), (there, "there"), (here, "here")):
        await tab.goto(address)
        assert await titles(tab) == [title]


@pytest.mark.parametrize("other_site", [False, True])
async def test_a_removed_frame_leaves_the_tree_and_calls_to_it_are_stale(
    tab: Tab, web: Web, other_site: bool
) -> None:
    inner = web.page("<title>inner</title>")
    await tab.goto(
        web.page(f"<title>outer</title><iframe src={on_other_site(web, inner) if other_site else inner}>")
    )
    (frame,) = tab.main_frame.children
    await tab.evaluate("document.querySelector('iframe').remove()")
    with anyio.fail_after(60):
        await tab.until(lambda: tab.main_frame.children == [])
        for call in (frame.call("title"), evaluate(frame, "1")):
            with pytest.raises(Stale):
                await call
    assert await titles(tab) == ["outer"]


async def test_a_call_ends_when_its_frame_is_removed(tab: Tab, web: Web) -> None:
    inner = on_other_site(web, web.page(""))
    await tab.goto(web.page(f"<iframe src={inner}></iframe>"))
    (frame,) = tab.main_frame.children
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(
                tab.evaluate, "void setTimeout(() => document.querySelector('iframe').remove(), 100)"
            )
            with pytest.raises(Stale):
                await evaluate(frame, "new Promise(() => {})")


async def test_a_navigation_removes_the_frames_of_the_old_page(tab: Tab, web: Web) -> None:
    inner = web.page("<title>inner</title>")
    await tab.goto(
        web.page(f"<iframe src={inner}></iframe><iframe src={on_other_site(web, inner)}></iframe>")
    )
    assert len(list(tab.frames)) == 3
    await tab.goto(web.page("<title>alone</title>"))
    assert await titles(tab) == ["alone"]


async def test_a_frame_without_a_response_does_not_block_other_frames(tab: Tab, web: Web) -> None:
    web.route("/never", lambda _: never())
    await tab.goto(
        web.page("<title>outer</title><iframe src=/never></iframe>"), wait_until="domcontentloaded"
    )
    assert await tab.title() == "outer"
    assert await tab.evaluate("document.querySelectorAll('iframe').length") == 1


async def test_the_element_of_a_frame_is_found(tab: Tab, web: Web) -> None:
    inner = web.page("")
    await tab.goto(
        web.page(f"<iframe src={inner}></iframe><iframe src={on_other_site(web, inner)}></iframe>")
    )
    for frame in tab.main_frame.children:
        owner = await frame.owner()
        described = await tab.session.send(
            "Runtime.callFunctionOn",
            functionDeclaration="function () { return this.src }",
            objectId=owner.object_id,
            returnByValue=True,
        )
        assert described["result"]["value"] == frame.url


async def test_a_thousand_nested_frames_do_not_break_the_tab(tab: Tab, web: Web) -> None:
    """Chrome takes long to create them; the script may be stopped, but the tab keeps working."""
    url = web.page(
        """<title>deep</title><body><button onclick="this.textContent = 'pressed'">Top</button><script>
          let doc = document;
          for (let depth = 0; depth < 1000; depth++) {
            const frame = doc.createElement("iframe");
            doc.body.append(frame);
            doc = frame.contentDocument;
          }
        </script>"""
    )
    with anyio.fail_after(90):
        with suppress(TimedOut):
            await tab.goto(url, timeout=30)
        assert await tab.title() == "deep"
        frames = list(tab.frames)
        assert 10 < len(frames) <= 1001
        assert await evaluate(frames[-1], "document.URL") == "about:blank"
    with anyio.fail_after(60):
        snapshot = await tab.snapshot()
        assert '@e1: button "Top"' in str(snapshot)
        assert len(frames) <= 150 or snapshot.left_out.frames > 0
        await tab.element("text=Top").click(timeout=30)
        assert await tab.element("@e1").text() == "pressed"
        with pytest.raises(NotFound, match=r"^No element matches text=Nowhere\."):
            await tab.element("text=Nowhere").click(timeout=0.5)
    with anyio.fail_after(60):
        await tab.goto(web.page("<title>flat</title>"))
        assert await titles(tab) == ["flat"]


async def test_frames_that_existed_before_we_attached_are_known(tab: Tab, web: Web) -> None:
    """A popup may have created its frames before we attach."""
    web.route("/inner", lambda _: Response("<title>inner</title>"))
    await tab.goto(web.page("<title>opener</title>"))
    with tab.context.expect_tab() as expected:
        await tab.evaluate(
            "const popup = window.open(''); popup.document.body.innerHTML = '<iframe src=/inner></iframe>'"
        )
    popup = await expected.wait()
    with anyio.fail_after(60):
        await popup.until(lambda: [frame.url for frame in popup.frames][1:] == [f"{web.url}/inner"])
    assert await popup.main_frame.children[0].call("title") == "inner"
