"""Running a caller's scripts in the page's own world."""

from typing import Any

import anyio
import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, PageFailed, Stale, TimedOut
from tests.web import Web


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("1 + 1", 2),
        ("'text'", "text"),
        ("[1, {a: [true, null]}]", [1, {"a": [True, None]}]),
        ("({a: 1})", {"a": 1}),
        ("{a: 1}", {"a": 1}),
        ("undefined", None),
        ("null", None),
        ("NaN", "NaN"),
        ("[Infinity, -Infinity, 0.5]", ["Infinity", "-Infinity", 0.5]),
        ("12345678901234567890n", "12345678901234567890"),
        ("[1n]", ["1"]),
        ("Symbol('x')", None),
        ("new Map([['a', 1], ['b', new Set([2])]])", {"a": 1, "b": [2]}),
        ("new Date(0)", "1970-01-01T00:00:00.000Z"),
        ("new TypeError('bad')", "TypeError: bad"),
        ("() => 7", 7),
        ("'\\ud83d\\ude00'", "\U0001f600"),
        ("'half \\ud83d'", "half ?"),
        ("'\\u0000'", "\0"),
        ("(async () => 5)()", 5),
        ("await Promise.resolve(6)", 6),
        ("new Promise(done => setTimeout(done, 10, 'later'))", "later"),
        ("1;", None),
        ("return 1;", 1),
        ("const a = 2; return a * 2", 4),
        ("if (args.length) return 1; else return 2", 2),
        ("for (let i = 0; ; i++) if (i > 3) return i", 4),
        ("const wait = await Promise.resolve(3); return wait", 3),
        ("1 // one", 1),
        ("return 1 // one", 1),
        ("1 /* one */", 1),
        ("// nothing before\n2", 2),
        ("'$& $1 $$ BODY'", "$& $1 $$ BODY"),
        ("const BODY = '$&'; return BODY", "$&"),
        ("'a;b'", "a;b"),
        ("'return'", "return"),
        ("JSON.parse('{\"a\": 1}')", {"a": 1}),
        ("this === window", True),
        ("  \n 1 \n ", 1),
    ],
)
async def test_a_script_returns_its_value_as_json(tab: Tab, script: str, value: Any) -> None:
    assert await tab.evaluate(script) == value


@pytest.mark.same_tab
@pytest.mark.parametrize("value", [None, True, 1, 1.5, "text", [1, [2]], {"a": {"b": None}}, "é\U0001f600\0"])
async def test_arguments_are_returned_unchanged(tab: Tab, value: Any) -> None:
    assert await tab.evaluate("args", value, 2) == [value, 2]


async def test_a_node_is_returned_as_its_opening_tag(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<p id=a class='x > y'>Hello <b>you</b></p><br><iframe srcdoc='<i id=in>x</i>'></iframe>")
    )
    assert await tab.evaluate("[document.querySelector('p'), document.querySelector('br')]") == [
        '<p id="a" class="x > y">',
        "<br>",
    ]
    assert await tab.evaluate("document.querySelector('b').firstChild") == "you"
    assert await tab.evaluate("document") == "#document"
    assert await tab.evaluate("frames[0].document.querySelector('i')") == '<i id="in">'


async def test_a_page_that_redefines_node_and_tojson_does_not_confuse_us(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<script>class Node {}; Array.prototype.toJSON = function () { return 'mine' }</script><p>")
    )
    assert await tab.evaluate("[1, [2], document.querySelector('p')]") == [1, [2], "<p>"]


async def test_a_page_that_replaced_json_is_reported(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<script>JSON.stringify = () => 'not json'</script>"))
    with pytest.raises(PageFailed) as failed:
        await tab.evaluate("1")
    assert failed.value.message == "The page returned a result that is not JSON."
    await tab.goto(web.page("<script>JSON.stringify = () => ({length: 1})</script>"))
    with pytest.raises(PageFailed, match="not JSON"):
        await tab.evaluate("1")


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("throw new Error('no such order')", 'The script failed: "Error: no such order".'),
        ("throw 'text'", 'The script failed: "text".'),
        ("throw {code: 7}", 'The script failed: "Object".'),
        ("missing.thing", 'The script failed: "ReferenceError: missing is not defined".'),
        ("Promise.reject(new TypeError('later'))", 'The script failed: "TypeError: later".'),
        ("JSON.parse('{')", 'The script failed: "SyntaxError: '),
        ("new Function('(')", 'The script failed: "SyntaxError: '),
        ("const a = {}; a.a = a; return a", 'The script failed: "TypeError: Converting circular structure'),
        ("({get a() { throw new Error('trap') }})", 'The script failed: "Error: trap".'),
        (
            "'x'.repeat(20_000_000)",
            'The script failed: "RangeError: the result has 20000002 characters; at most 10000000 can be returned".',
        ),
    ],
)
async def test_an_error_that_a_script_throws_is_a_page_failure(tab: Tab, script: str, message: str) -> None:
    with pytest.raises(PageFailed) as failed:
        await tab.evaluate(script)
    assert failed.value.message.startswith(message)
    assert await tab.evaluate("1") == 1


@pytest.mark.same_tab
@pytest.mark.parametrize("script", ["document.(", "'open", "`", "1)", "return return", "let let = 1", "}{"])
async def test_invalid_javascript_is_refused(tab: Tab, script: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        await tab.evaluate(script)
    assert refused.value.message.startswith("The script is not valid JavaScript: SyntaxError: ")


async def test_a_script_runs_once_whatever_its_shape(tab: Tab) -> None:
    await tab.evaluate("window.runs = 0")
    for script in ("runs++", "runs++;", "runs++; return 1", "JSON.parse(String(runs++) + '{')"):
        try:
            await tab.evaluate(script)
        except PageFailed:
            continue
    assert await tab.evaluate("runs") == 4


async def test_a_script_may_do_what_needs_a_user_gesture(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(""))
    assert await tab.evaluate("navigator.userActivation.isActive") is False
    assert await tab.evaluate("(() => navigator.userActivation.isActive)()") is True


async def test_a_script_whose_page_navigates_away_is_stale(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("first"))
    second = web.page("<title>second</title>")
    with pytest.raises(Stale) as stale:
        await tab.evaluate("location.href = args[0]; return new Promise(() => {})", second)
    assert stale.value.message == "The page navigated away while the script ran."
    await tab.navigation.wait()
    assert await tab.title() == "second"


@pytest.mark.parametrize(
    "script",
    ["while (1);", "(async () => { while (1) await null })()", "/^(a+)+$/.test('a'.repeat(60) + 'b')"],
)
async def test_an_endless_script_is_stopped_at_its_timeout_and_the_tab_works_on(
    tab: Tab, web: Web, script: str
) -> None:
    await tab.goto(web.page("<p>still here"))
    with anyio.fail_after(60):
        with pytest.raises(TimedOut) as late:
            await tab.evaluate(script, timeout=0.5)
        assert late.value.message == "The script did not finish in 0.5 s."
        assert await tab.evaluate("document.body.innerText") == "still here"


async def test_a_script_that_only_waits_times_out_without_side_effects(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<script>let n = 0; setInterval(() => n++, 1)</script>"))
    with pytest.raises(TimedOut):
        await tab.evaluate("new Promise(() => {})", timeout=0.2)
    before = await tab.evaluate("n")
    assert await tab.evaluate("new Promise(done => setTimeout(() => done(n), 50))") > before


async def test_a_script_may_block_the_page_until_its_timeout(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(""))
    busy = "const end = performance.now() + 3500; while (performance.now() < end); return 'done'"
    assert await tab.evaluate(busy) == "done"


async def test_many_scripts_at_once_each_get_their_own_answer(tab: Tab) -> None:
    answers: dict[int, Any] = {}

    async def ask(number: int) -> None:
        answers[number] = await tab.evaluate("args[0] * 2", number)

    async with anyio.create_task_group() as group:
        for number in range(50):
            group.start_soon(ask, number)
    assert answers == {number: number * 2 for number in range(50)}
