"""Small actions through the runner on real pages: keys, styles, counts, HAR files, traces, saved states."""

import json
from pathlib import Path

import pytest

from tabwright.errors import Blocked, InvalidArgs, NotFound
from tests.calls import Do
from tests.web import Request, Response, Web

KEYS = """<input autofocus id=i><p id=log></p><script>
for (const kind of ['keydown', 'keyup', 'mousedown', 'mouseup', 'wheel'])
  addEventListener(kind, e => log.textContent += `${kind}:${e.key ?? e.button}${e.shiftKey ? '+' : ''} `)
</script>"""


async def test_keys_and_buttons_are_held_until_released(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(KEYS))
    await do("focus", target="#i")
    assert (await do("key_down", key="Shift")).text.splitlines()[0] == "Holding Shift."
    await do("press", key="a")
    assert (await do("key_up", key="Shift")).text.splitlines()[0] == "Released Shift."
    await do("insert_text", text="é!")
    await do("mouse_move", x=300, y=300)
    await do("mouse_down", button="right")
    await do("mouse_up", button="right")
    reply = (await do("mouse_wheel", delta_y=10)).text
    assert reply.splitlines()[0] == "Turned the wheel by 0, 10."
    assert (await do("get_value", target="#i")).text == "Aé!"
    log = "keydown:Shift+ keydown:A+ keyup:A+ keyup:Shift mousedown:2 mouseup:2 wheel:0"
    assert (await do("get_text", target="#log")).text.strip() == log


async def test_elements_are_counted_and_their_styles_and_html_read(do: Do, web: Web) -> None:
    html = "<ul><li>a<li hidden>b</ul><iframe srcdoc='<li>c'></iframe><p style='color:red'><b>x</b></p>"
    await do("navigate", url=web.page(html))
    assert (await do("count_elements", target="li")).text == "3"
    assert (await do("count_elements", target="table")).text == "0"
    with pytest.raises(InvalidArgs):
        await do("count_elements", target="li[[")
    assert (await do("get_styles", target="p", names=["color", "none-such"])).text == (
        "color: rgb(255, 0, 0)\nnone-such: "
    )
    assert "\ndisplay: block\n" in (await do("get_styles", target="p", max_tokens=20_000)).text
    assert (await do("get_html", target="p", inside=True)).text == "<b>x</b>"


async def test_a_snapshot_with_a_depth_reports_that_it_is_cut(do: Do, web: Web) -> None:
    await do(
        "navigate", url=web.page("<nav aria-label=Main><a href=#a>In</a><a href=#b>In</a></nav><h1>Top</h1>")
    )
    assert '"Top"' in (await do("snapshot", depth=1)).text
    assert (await do("snapshot", depth=1)).text.endswith("[Left out: 2 deeper lines]")
    assert "Left out" not in (await do("snapshot", depth=2)).text


async def test_a_frame_is_chosen_by_its_element(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<p>out</p><iframe id=one srcdoc='<p>in</p>'></iframe>"))
    reply = (await do("switch_frame", frame="#one")).text.splitlines()[-1]
    assert reply.startswith("Targets, snapshots and scripts now use frame f")
    assert (await do("get_text", target="p")).text.endswith("in")
    await do("main_frame")
    with pytest.raises(InvalidArgs, match="text=out is not a frame"):
        await do("switch_frame", frame="text=out")


async def test_a_har_has_the_bodies_of_earlier_pages(do: Do, web: Web) -> None:
    web.route("/api", lambda _: Response('{"n": 1}', headers={"content-type": "application/json"}))
    first = web.page("<script>fetch('/api', {method: 'POST', body: 'q=1'})</script>first")
    await do("navigate", url=web.page("before"))
    with pytest.raises(NotFound, match="not being recorded"):
        await do("stop_har")
    await do("start_har")
    with pytest.raises(Blocked, match="already"):
        await do("start_har")
    await do("navigate", url=first, wait_until="networkidle")
    await do("navigate", url=web.page("second"))
    answer = await do("stop_har")
    har = json.loads(answer.artifacts[0].content)["log"]
    assert (har["version"], answer.artifacts[0].name.startswith("network-")) == ("1.2", True)
    wanted = {entry["request"]["url"]: entry for entry in har["entries"]}
    assert first in wanted
    assert web.page("before") not in wanted
    api = wanted[f"{web.url}/api"]
    assert api["request"]["postData"]["text"] == "q=1"
    assert (api["response"]["status"], api["response"]["content"]["text"]) == (200, '{"n": 1}')
    assert "first" in wanted[first]["response"]["content"]["text"]
    assert answer.text == f"HAR of {len(har['entries'])} requests."


async def test_a_trace_covers_this_page_and_no_other_session(do: Do, web: Web) -> None:
    other, mine = (
        web.page("<title>other</title>"),
        web.page("<script>performance.mark('tabwright-mark')</script>"),
    )
    await do("navigate", url=web.page("before"))
    await do("start_trace")
    await do("navigate", url=other, session="another")
    await do("navigate", url=mine)
    with pytest.raises(Blocked):
        await do("start_trace", session="another")
    (file,) = (await do("stop_trace")).artifacts
    assert "tabwright-mark" in file.content.decode()
    assert other not in file.content.decode()
    assert mine in file.content.decode()
    with pytest.raises(NotFound):
        await do("stop_trace")


async def test_a_saved_state_can_be_loaded_in_another_session(do: Do, web: Web, tmp_path: Path) -> None:
    page = web.page("<script>localStorage.k ??= 'first'; sessionStorage.s ??= 'own'</script>")
    await do("navigate", url=page)
    await do("evaluate", script="localStorage.k = 'kept'; sessionStorage.s = 'also'")
    await do("set_cookie", name="login", value="Ada", domain="", http_only=True, same_site="Strict")
    saved = await do("save_state")
    assert saved.text == "State of 1 cookie and the storage of 1 origin."
    (tmp_path / "state.json").write_bytes(saved.artifacts[0].content)
    loaded = await do("load_state", path="state.json", session="new")
    assert loaded.text == "Loaded 1 cookie and the storage of 1 origin."
    await do("navigate", url=page, session="new")
    stored = await do("evaluate", script="[localStorage.k, sessionStorage.s]", session="new")
    assert stored.text == '["kept","also"]'
    assert "login=Ada" in (await do("get_cookies", session="new")).text
    again = await do("load_state", path="state.json", session="new")
    assert again.text == "Loaded 1 cookie and the storage of 1 origin."
    await do("navigate", url="about:blank", session="third")
    await do("new_tab", url=f"http://localhost:{web.url.rpartition(':')[2]}/", session="third")
    partly = (await do("load_state", path="state.json", session="third")).text
    assert partly.endswith(f"The sessionStorage of {web.url} needs a tab that shows no page yet.")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        '{"cookies": [{}], "origins": []}',
        '{"cookies": [], "origins": [{"origin": "x/", "localStorage": [{"name": "a", "value": "b"}]}]}',
    ],
)
async def test_an_invalid_state_file_is_rejected(do: Do, tmp_path: Path, content: str) -> None:
    (tmp_path / "state.json").write_text(content)
    with pytest.raises(InvalidArgs):
        await do("load_state", path="state.json")


async def test_headers_of_a_navigation_are_sent_to_its_origin_only(do: Do, web: Web) -> None:
    elsewhere = f"http://localhost:{web.url.rpartition(':')[2]}"
    seen: list[str | None] = []

    def where(request: Request) -> Response:
        seen.append(request.headers.get("x-token"))
        return Response("ok")

    web.route("/where", where)
    await do("navigate", url=f"{web.url}/where", headers=["X-Token: secret"])
    await do("navigate", url=f"{elsewhere}/where")
    await do("navigate", url=f"{web.url}/where")
    assert seen == ["secret", None, "secret"]


async def test_requests_are_filtered_and_rules_cleared_by_pattern(do: Do, web: Web) -> None:
    web.route("/gone", lambda _: Response("no", status=404))
    await do("mock_requests", pattern="*/mocked", body="ours")
    await do(
        "navigate",
        url=web.page("<script>fetch('/gone', {method: 'POST'}); fetch('/mocked')</script>"),
        wait_until="networkidle",
    )
    assert (await do("list_requests", status="4xx", method="post")).result.model_dump()["requests"][0][
        "url"
    ] == f"{web.url}/gone"
    assert "/gone" not in (await do("list_requests", status="200-299")).text
    assert (await do("clear_rules", pattern="*/mocked")).text == "Cleared 1 rule for */mocked."
    with pytest.raises(NotFound, match="rules: none"):
        await do("clear_rules", pattern="*/mocked")


async def test_a_download_is_complete_when_it_is_reported(do: Do, web: Web, tmp_path: Path) -> None:
    web.route(
        "/file", lambda _: Response("data", headers={"content-disposition": "attachment; filename=data.csv"})
    )
    await do("navigate", url=web.page("<a href=/file>Get</a>"))
    await do("save_downloads", folder=str(tmp_path / "down"))
    answer = await do("download", target="text=Get")
    assert answer.text.splitlines()[0] == f"d1 data.csv completed 4 B {tmp_path / 'down' / 'data.csv'}"
    assert [file.path for file in answer.artifacts] == [tmp_path / "down" / "data.csv"]


async def test_closing_a_missing_session_succeeds_with_missing_ok(do: Do) -> None:
    assert (await do("close_session", name="nobody", missing_ok=True)).text == "No session was open."
    with pytest.raises(NotFound):
        await do("close_session", name="nobody")
