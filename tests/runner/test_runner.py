"""The one path of every call, over real Chromium."""

import anyio
import orjson
import pytest

from tabwright.call import Call
from tabwright.errors import Denied, InvalidArgs, NotFound, TimedOut
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tests.calls import Do
from tests.web import Response, Web, never

ROWS = "".join(f"<tr><td>row {i}<td><a href=/x/{i}>open {i}</a></tr>" for i in range(2000))
TABLE = f"<table><tr><th>Name<th>Link</tr>{ROWS}</table>"


async def test_an_action_reports_what_it_changed(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<button onclick=\"document.title = 'Saved'\">Save</button>"))
    assert (await do("click", target="text=Save")).text == (
        'Clicked button "Save".\nThe title is now "Saved"\nFocus: @e1: button "Save" (focused)'
    )


async def test_a_large_table_answers_in_a_thousand_tokens(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(TABLE))
    answer = await do("snapshot", max_tokens=1000)
    assert len(answer.text) <= 4000
    assert answer.text.splitlines()[1:] == [
        "- @e1: table",
        '  - row: "Name" | "Link"',
        '  - row: "row 0" | @e2: link "open 0" → /x/0',
        '  - row: "row 1" | @e3: link "open 1" → /x/1',
        '  - row: "row 2" | @e4: link "open 2" → /x/2',
        "  - … 1,997 more rows like these",
        f"[Shortened. Whole text: more {answer.cursor}]",
    ]
    part = await do("more", cursor=f"{answer.cursor}:1500", tokens=50)
    assert '"row 1497"' in part.text


async def test_the_whole_answer_is_saved_as_a_file_on_request(
    runner: Runner, me: Principal, do: Do, web: Web
) -> None:
    await do("navigate", url=web.page(TABLE))
    answer = await runner.run(Call(action="snapshot", principal=me, max_tokens=100, save=True))
    (file,) = answer.artifacts
    assert (file.mime, file.content.count(b"\n")) == ("text/plain", 2002)
    assert len(answer.text) <= 400


async def test_find_returns_matches_with_the_lines_around_them(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(TABLE))
    assert (await do("find", text=r"row 12\d\d\b", regex=True, max_tokens=100_000)).text.startswith(
        "100 matches\n"
    )
    assert (await do("find", text="row 1234")).text.splitlines() == [
        "1 match",
        '  - row: "row 1233" | @e1235: link "open 1233" → /x/1233',
        '  - row: "row 1234" | @e1236: link "open 1234" → /x/1234',
        '  - row: "row 1235" | @e1237: link "open 1235" → /x/1235',
    ]


async def test_a_broken_regular_expression_is_named(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>page"))
    with pytest.raises(InvalidArgs, match="Invalid regular expression"):
        await do("find", text="(", regex=True)


async def test_extract_returns_complete_json_within_the_budget(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(TABLE))
    text, _, notice = (await do("extract", max_tokens=500)).text.partition("\n[")
    rows = orjson.loads(text)
    assert rows[0] == {"Name": "row 0", "Link": "open 0", "Link link": f"{web.url}/x/0"}
    assert f"extract with start {len(rows)}" in notice
    following = await do("extract", start=len(rows), max_tokens=500)
    assert orjson.loads(following.text.partition("\n[")[0])[0]["Name"] == f"row {len(rows)}"


async def test_read_returns_the_main_text_as_markdown(do: Do, web: Web) -> None:
    html = """<nav><a href=/>Home</a></nav><main><h1>Prices</h1><p>See the <a href=/list>list</a>.</p>
    <label>Sort <select><option>up</select></label><button>Go</button><ul><li>One<li>Two</ul><table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table></main><footer>Imprint</footer>"""
    await do("navigate", url=web.page(html))
    assert (await do("read")).text == (
        f"# Prices\n\nSee the [list]({web.url}/list).\n\n- One\n- Two\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"
    )


async def test_wrong_arguments_name_each_field(do: Do) -> None:
    with pytest.raises(InvalidArgs) as caught:
        await do("click", count=9, colour="red")
    assert str(caught.value) == (
        "target: Field required; count: Input should be less than or equal to 3; "
        "colour: Extra inputs are not permitted. Fields: target, button, count, modifiers, "
        "wait_for_navigation, expect_tab, timeout."
    )


async def test_an_unknown_action_is_not_found(do: Do) -> None:
    with pytest.raises(NotFound, match="Unknown action fly"):
        await do("fly")


async def test_scopes_decide_what_a_caller_may_do(runner: Runner) -> None:
    reader = Principal("token:reader", frozenset({"read"}))
    with pytest.raises(Denied, match="click needs the scope act"):
        await runner.run(Call(action="click", args={"target": "@e1"}, principal=reader))
    nobody = Principal("token:nobody", frozenset({"admin"}))
    with pytest.raises(Denied, match="evaluate needs the scope evaluate"):
        await runner.run(Call(action="evaluate", args={"script": "1"}, principal=nobody))


async def test_a_call_without_a_caller_is_refused(runner: Runner) -> None:
    with pytest.raises(Denied, match="get_page needs the scope read"):
        await runner.run(Call("get_page"))


async def test_a_prepared_call_has_valid_arguments_and_runs(runner: Runner, me: Principal) -> None:
    with pytest.raises(NotFound, match="fly"):
        runner.prepare(Call("fly", principal=me))
    with pytest.raises(InvalidArgs, match="url"):
        runner.prepare(Call("navigate", principal=me))
    prepared = runner.prepare(Call("get_page", principal=me))
    assert (await runner.run(prepared)).text == (await runner.run(prepared.call)).text


async def test_calls_on_one_session_queue_without_blocking_other_sessions(do: Do, web: Web) -> None:
    release = anyio.Event()

    async def slow() -> Response:
        await release.wait()
        return Response("<title>Slow</title>")

    slow_url, fast_url = web.route("/slow", lambda _: slow()), web.page("<title>Fast</title>")
    order: list[str] = []

    async def visit(session: str, action: str, **args: object) -> None:
        await do(action, session=session, **args)
        order.append(f"{session}: {action}")

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: visit("one", "navigate", url=slow_url))
        await web.wait_for_request("/slow")
        group.start_soon(lambda: visit("one", "get_page"))
        await visit("two", "navigate", url=fast_url)
        release.set()
    assert order == ["two: navigate", "one: navigate", "one: get_page"]


async def test_a_cancelled_call_frees_its_session(do: Do, web: Web) -> None:
    stuck = web.route("/stuck", lambda _: never())

    async def visit() -> None:
        await do("navigate", url=stuck)

    async with anyio.create_task_group() as group:
        group.start_soon(visit)
        await web.wait_for_request("/stuck")
        group.cancel_scope.cancel()
    with anyio.fail_after(60):
        assert (await do("navigate", url=web.page("<title>Next</title>"))).text.endswith("(200 OK)")


async def test_an_action_that_reports_progress_fails_with_its_own_error(
    runner: Runner, me: Principal, web: Web
) -> None:
    messages: list[str] = []

    async def progress(_: float, message: str) -> None:
        messages.append(message)

    silent = web.route("/silent", lambda _: never())
    call = Call(action="navigate", args={"url": silent, "timeout": 0.3}, principal=me, progress=progress)
    with pytest.raises(TimedOut):
        await runner.run(call)
    assert messages == ["navigate: 0 requests under way"]


async def test_an_internal_error_has_a_log_id_and_no_details(
    runner: Runner, me: Principal, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Principal):
        def require(self, action: object) -> None:
            raise RuntimeError("secret detail")

    with pytest.raises(Exception, match="log id") as caught:
        await runner.run(Call(action="get_page", principal=Broken(me.name)))
    assert "secret detail" not in str(caught.value)
    assert "secret detail" in caplog.text


async def test_a_batch_stops_at_the_first_failure(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<label>Name <input></label><button>Send</button>"))
    steps = [
        '{"action": "fill", "target": "label=Name", "value": "Ada"}',
        '{"action": "click", "target": "text=Nowhere", "timeout": 0.2}',
        '{"action": "click", "target": "text=Send"}',
    ]
    stopped = await do("batch", steps=steps)
    assert stopped.text.splitlines()[-1] == "1 of 3 steps done."
    assert (await do("batch", steps=steps, go_on=True)).text.splitlines()[-1] == "2 of 3 steps done."


@pytest.mark.parametrize("step", ["click", "[]", "{}", '{"action": "batch", "steps": []}'])
async def test_a_batch_is_validated_before_it_runs(do: Do, step: str) -> None:
    with pytest.raises(InvalidArgs):
        await do("batch", steps=[step])


async def test_metrics_count_calls_by_outcome(do: Do, runner: Runner) -> None:
    await do("list_sessions")
    assert b'tabwright_calls_total{action="list_sessions",outcome="ok"} 1.0' in runner.metrics.text()


async def test_sessions_are_listed_and_closed(do: Do, web: Web) -> None:
    await do("navigate", session="shop", url=web.page("<p>shop"))
    assert (await do("list_sessions")).text == "shop: 1 tab"
    assert (await do("close_session", name="shop")).text == "Closed session: shop"
    assert (await do("list_sessions")).text == "No session is open."
    with pytest.raises(NotFound, match="There is no session shop; yours: none"):
        await do("close_session", name="shop")
