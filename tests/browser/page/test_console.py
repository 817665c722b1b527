"""Console messages of pages and workers in real Chromium."""

import time
from collections.abc import Callable

import anyio

from tabwright.browser.context import Context
from tabwright.browser.page.console import Message
from tabwright.browser.tab import Tab
from tests.web import Response, Web

NO_ICON = "<link rel=icon href='data:,'>"


async def until(tab: Tab, reached: Callable[[], bool]) -> None:
    with anyio.fail_after(60):
        await tab.until(reached)


def messages(tab: Tab) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in tab.console.messages()]


async def test_a_message_has_kind_text_source_time_and_frame(tab: Tab, web: Web) -> None:
    url = web.page(f"{NO_ICON}\n<script>\nconsole.warn('low on', 3, 'eggs')</script>")
    before = time.time()
    await tab.goto(url)
    [message] = tab.console.messages()
    assert before - 1 < message.time < time.time() + 1
    assert message == Message(
        number=1,
        kind="warning",
        text="low on 3 eggs",
        url=url,
        line=3,
        time=message.time,
        frame=tab.main_frame.id,
        page=tab.navigation.commits,
        page_url=url,
    )
    assert str(message) == f"warning: low on 3 eggs ({url}:3)"


async def test_every_console_method_maps_to_one_of_five_kinds(tab: Tab) -> None:
    await tab.evaluate("""
        console.log("a"); console.debug("b"); console.info("c"); console.warn("d"); console.error("e");
        console.assert(1 > 2, "f"); console.trace("g"); console.dir({h: 1}); console.table([1]);
        console.group("i"); console.groupEnd(); console.clear(); console.count("j"); return 0;
    """)
    assert messages(tab) == [
        ("log", "a"),
        ("log", "b"),
        ("info", "c"),
        ("warning", "d"),
        ("error", "e"),
        ("error", "Assertion failed: f"),
        ("log", "g"),
        ("log", "{h: 1}"),
        ("log", "[1]"),
        ("log", "i"),
        ("log", "j: 1"),
    ]


async def test_values_of_every_type_are_readable(tab: Tab) -> None:
    await tab.evaluate("""
        console.log(1.5, -0, NaN, 5n, true, null, undefined, Symbol("s"));
        console.log([1, "a", {}], {b: "x", c: [1]}, new Map([["k", 1]]), new Set(["v"]));
        console.log(new (class Egg { x = 1 }));
        console.log(new TypeError("no"), /a+/g, document.createElement("hr"), () => 1);
        console.log("%s has %d%% of %o%c!", "Ann", 5, {}, "color: red", "more");
        return 0;
    """)
    assert messages(tab) == [
        ("log", "1.5 -0 NaN 5n true null undefined Symbol(s)"),
        ("log", '[1, "a", Object] {b: "x", c: Array(1)} Map(1) {"k" => 1} Set(1) {"v"}'),
        ("log", "Egg {x: 1}"),
        ("log", "TypeError: no /a+/g hr () => 1"),
        ("log", "Ann has 5% of {}! more"),
    ]


async def test_a_long_message_is_cut(tab: Tab) -> None:
    await tab.evaluate("console.log('x'.repeat(5_000_000), Array(100000).fill(1))")
    [message] = tab.console.messages()
    assert message.text == "x" * 2000 + "…"


async def test_uncaught_errors_and_rejections_are_exceptions(tab: Tab, web: Web) -> None:
    url = web.page(f"""{NO_ICON}<script>
        setTimeout(() => {{ throw new TypeError("boom") }});
        Promise.reject("why");
    </script>""")
    await tab.goto(url)
    await until(tab, lambda: tab.console.count == 2)
    assert sorted(str(message) for message in tab.console.errors()) == [
        f"exception: Uncaught (in promise) why ({url}:3)",
        f"exception: Uncaught TypeError: boom ({url}:2)",
    ]


async def test_a_script_that_does_not_parse_is_an_exception(tab: Tab, web: Web) -> None:
    url = web.page(f"{NO_ICON}\n<script>let 1</script>")
    await tab.goto(url)
    assert [str(message) for message in tab.console.errors()] == [
        f"exception: Uncaught SyntaxError: Unexpected number ({url}:2)"
    ]


async def test_warnings_of_the_browser_itself_are_included(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(f"{NO_ICON}<img src=/gone.png>"))
    [message] = tab.console.errors()
    assert (message.text, message.url, message.line) == (
        "Failed to load resource: the server responded with a status of 404 (Not Found)",
        f"{web.url}/gone.png",
        None,
    )


async def test_messages_of_workers_and_frames_appear_once_with_their_source(tab: Tab, web: Web) -> None:
    script = Response("console.log('w'); null.x", headers={"content-type": "text/javascript"})
    worker = web.route("/w.js", lambda _: script)
    web.page("<script>console.info('inside')</script>", "/inside")
    await tab.goto(
        web.page(
            f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe><script>new Worker('/w.js')</script>"
        )
    )
    await until(tab, lambda: tab.console.count >= 3)
    [frame] = tab.main_frame.children
    assert sorted((m.kind, m.text, m.frame, m.worker) for m in tab.console.messages()) == [
        ("exception", "Uncaught TypeError: Cannot read properties of null (reading 'x')", "", worker),
        ("info", "inside", frame.id, ""),
        ("log", "w", "", worker),
    ]


async def test_errors_since_a_number_are_only_the_new_ones(tab: Tab) -> None:
    await tab.evaluate("console.error('old')")
    before = tab.console.count
    await tab.evaluate("console.log('fine'); console.error('new'); return 0")
    assert [message.text for message in tab.console.errors(since=before)] == ["new"]
    assert [message.text for message in tab.console.messages(kind="error")] == ["old", "new"]


async def test_the_last_thousand_messages_survive_a_navigation(tab: Tab, web: Web) -> None:
    await tab.evaluate("for (let i = 1; i <= 1500; i++) console.log(i); return 0")
    await tab.goto(web.page(NO_ICON))
    stored = tab.console.messages()
    assert (len(stored), stored[0].number, stored[0].text, stored[-1].text) == (1000, 501, "501", "1500")
    assert tab.console.count == 1500


async def test_clear_deletes_messages_and_numbering_continues(tab: Tab) -> None:
    await tab.evaluate("console.log('a')")
    tab.console.clear()
    assert tab.console.messages() == []
    await tab.evaluate("console.log('b')")
    assert [(message.number, message.text) for message in tab.console.messages()] == [(2, "b")]


async def test_each_tab_has_its_own_console(context: Context) -> None:
    first, second = await context.new_tab(), await context.new_tab()
    await first.evaluate("console.log('one')")
    await second.evaluate("console.log('two')")
    assert (messages(first), messages(second)) == ([("log", "one")], [("log", "two")])


async def test_logged_objects_are_released_in_the_end(tab: Tab) -> None:
    await tab.evaluate("globalThis.ref = new WeakRef({}); console.log(ref.deref()); return 0")
    await tab.evaluate("for (let i = 0; i < 1200; i++) console.log(i); return 0")
    await tab.session.send("HeapProfiler.collectGarbage")
    assert await tab.evaluate("ref.deref() === undefined") is True
