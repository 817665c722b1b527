"""Dragging and the mouse by coordinates, in real Chromium."""

import math

import anyio
import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tests.web import Request, Response, Web

HTML5 = """
<style>div { width: 120px; height: 60px; margin: 20px; border: 1px solid }</style>
<div id=source draggable=true>Card</div><div style="height: GAPpx; border: 0"></div><div id=target>Basket</div>
<script>
  const seen = [];
  for (const type of ["dragstart", "dragenter", "drop", "dragend", "click", "mouseup"])
    addEventListener(type, event => seen.push(type + " " + (event.target.id ?? "")), true);
  source.ondragstart = event => event.dataTransfer.setData("text/plain", "card 7");
  target.ondragover = event => event.preventDefault();
  target.ondrop = event => { event.preventDefault(); target.textContent = event.dataTransfer.getData("text/plain") };
</script>"""


@pytest.mark.parametrize("gap", [0, 3000])
async def test_html_drag_and_drop_transfers_its_data(tab: Tab, web: Web, gap: int) -> None:
    await tab.goto(web.page(HTML5.replace("GAP", str(gap))))
    await tab.element("#source").drag_to(tab.element("#target"))
    assert await tab.element("#target").text() == "card 7"
    assert await tab.evaluate("seen.filter(line => !line.startsWith('dragenter'))") == [
        "dragstart source",
        "drop target",
        "dragend source",
    ]


async def test_a_second_drag_works_like_the_first(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(HTML5.replace("GAP", "0")))
    await tab.element("#source").drag_to(tab.element("#target"))
    await tab.evaluate("target.textContent = 'empty'; seen.length = 0; 0")
    await tab.element("#source").drag_to(tab.element("#target"))
    assert await tab.element("#target").text() == "card 7"
    await tab.element("#target").click()
    assert await tab.evaluate("seen.at(-1)") == "click target"


POINTER = """
<style>div { position: absolute; width: 80px; height: 80px; background: silver; touch-action: none }</style>
<div id=target style="left: 400px; top: 200px">Basket</div><div id=source style="left: 20px; top: 20px">Card</div>
<script>
  let from = null, moves = 0;
  source.onpointerdown = event => { from = [event.offsetX, event.offsetY]; source.setPointerCapture(event.pointerId) };
  source.onpointermove = event => {
    if (!from) return;
    moves++;
    source.style.left = event.clientX - from[0] + "px";
    source.style.top = event.clientY - from[1] + "px";
  };
  source.onpointerup = () => { from = null };
</script>"""


async def test_a_drag_by_pointer_events_moves_step_by_step(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(POINTER))
    await tab.element("#source").drag_to(tab.element("#target"))
    assert await tab.evaluate("[source.style.left, source.style.top, from]") == ["400px", "200px", None]
    assert await tab.evaluate("moves") >= 5


async def test_a_slider_is_dragged_by_coordinates(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<input type=range style='position: absolute; left: 0; top: 0; width: 200px; margin: 0'>")
    )
    box = await tab.element("input").box()
    middle = box.height / 2
    await tab.mouse.drag(100, middle, 180, middle)
    assert await tab.element("input").value() in ("93", "94", "95")


async def test_dragging_across_frames_of_other_sites(tab: Tab, web: Web) -> None:
    web.page(HTML5.replace("GAP", "0"), "/inner")
    await tab.goto(
        web.page(
            f"""<iframe src="{web.other_site}/inner" width=400 height=300></iframe><div id=outer
            ondragover="event.preventDefault()"
            ondrop="event.preventDefault(); this.textContent = event.dataTransfer.getData('text/plain')"
            style="width: 200px; height: 100px">Outer</div>"""
        )
    )
    await tab.element("#source").drag_to(tab.element("#outer"))
    assert await tab.element("#outer").text() == "card 7"
    for _ in range(2):
        await tab.element("#source").drag_to(tab.element("#target"))
        assert await tab.element("#target").text() == "card 7"


HELD_UP = """
<style>div { position: absolute; width: 80px; height: 80px; background: silver }</style>
<div id=source style="left: 20px; top: 20px" DRAGGABLE>Card</div>
<div id=target style="left: 400px; top: 200px">Basket</div>
<script>
  const seen = [];
  addEventListener("mousemove", event => seen.push(event.buttons));
  source.ondragstart = event => event.dataTransfer.setData("text/plain", "card 7");
  addEventListener("EVENT", event => {
    if (event.clientX < 200 || window.held) return;
    window.held = true;
    const request = new XMLHttpRequest();
    request.open("GET", "/hold", false);
    request.send();
  }, true);
</script>"""


@pytest.mark.parametrize(("event", "draggable"), [("mousemove", ""), ("dragover", "draggable=true")])
async def test_an_aborted_drag_leaves_no_button_pressed(
    tab: Tab, web: Web, event: str, draggable: str
) -> None:
    answering = anyio.Event()

    async def answer(_: Request) -> Response:
        await answering.wait()
        return Response("go on")

    web.route("/hold", answer)
    await tab.goto(web.page(HELD_UP.replace("EVENT", event).replace("DRAGGABLE", draggable)))
    async with anyio.create_task_group() as group:
        group.start_soon(tab.element("#source").drag_to, tab.element("#target"))
        await web.wait_for_request("/hold")
        group.cancel_scope.cancel()
    answering.set()
    await tab.evaluate("seen.length = 0")
    await tab.element("#target").hover()
    assert await tab.evaluate("seen.at(-1)") == 0


async def test_the_mouse_moves_to_the_given_point(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<body style="margin: 0; height: 3000px"><script>
            const seen = [];
            for (const type of ["mousemove", "mousedown", "mouseup", "click", "dblclick"])
              addEventListener(type, event => seen.push([type, event.clientX, event.clientY, event.buttons]));
            </script>"""
        )
    )
    await tab.mouse.move(5, 5)
    await tab.evaluate("seen.length = 0; 0")
    await tab.mouse.move(10, 20)
    await tab.mouse.down()
    await tab.mouse.move(30, 40, steps=2)
    await tab.mouse.up()
    assert await tab.evaluate("seen.filter(([type]) => type !== 'click')") == [
        ["mousemove", 10, 20, 0],
        ["mousedown", 10, 20, 1],
        ["mousemove", 20, 30, 1],
        ["mousemove", 30, 40, 1],
        ["mouseup", 30, 40, 0],
    ]
    await tab.evaluate("seen.length = 0; 0")
    await tab.mouse.click(50, 60, count=2)
    assert await tab.evaluate("seen.map(([type]) => type).filter(type => /click/.test(type))") == [
        "click",
        "click",
        "dblclick",
    ]


async def test_the_wheel_scrolls(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<body style='height: 5000px'>"))
    await tab.mouse.move(100, 100)
    await tab.mouse.wheel(dy=400)
    assert await tab.waits.function("scrollY === 400 && scrollY") == 400


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (math.nan, 1, "(nan, 1) is not a point. Give two numbers, in CSS pixels."),
        (1, math.inf, "(1, inf) is not a point. Give two numbers, in CSS pixels."),
    ],
)
async def test_an_invalid_point_is_rejected(tab: Tab, x: float, y: float, message: str) -> None:
    for act in (tab.mouse.click, tab.mouse.move, tab.touch.tap):
        with pytest.raises(InvalidArgs) as refusal:
            await act(x, y)
        assert str(refusal.value) == message


@pytest.mark.parametrize(("x", "y"), [(-1, 5), (5, 100_000), (1e300, 0)])
async def test_a_point_outside_the_viewport_is_rejected(tab: Tab, x: float, y: float) -> None:
    with pytest.raises(InvalidArgs, match=r"is outside the viewport of \d+ by \d+ pixels\."):
        await tab.mouse.click(x, y)


async def test_an_invalid_wheel_distance_is_rejected(tab: Tab) -> None:
    with pytest.raises(InvalidArgs, match=r"^nan is not a scroll distance\."):
        await tab.mouse.wheel(dy=math.nan)
