"""Clicking, in real Chromium."""

import math
from collections.abc import Awaitable, Callable

import anyio
import pytest

from tabwright.browser.page.dialogs import Dialog
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound, PageFailed, Stale, TimedOut
from tests.web import Response, Web

LOG = """<script>
  const seen = [];
  const note = event => seen.push([event.type, event.button, event.detail, event.isTrusted]);
  const listen = (element, ...types) => types.forEach(type => element.addEventListener(type, note));
</script>"""


async def test_a_click_presses_the_button(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("""<button onclick="this.textContent = 'done'">Save</button>"""))
    button = tab.element("button")
    await button.click()
    assert button.label == 'button "Save"'
    assert await button.text() == "done"


async def test_a_click_sends_trusted_events(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(f"""<button>Save</button>{LOG}<script>
        listen(document.querySelector("button"), "pointerdown", "mousedown", "pointerup", "mouseup", "click");
        </script>""")
    )
    await tab.element("button").click()
    assert await tab.evaluate("seen") == [
        ["pointerdown", 0, 0, True],
        ["mousedown", 0, 1, True],
        ["pointerup", 0, 0, True],
        ["mouseup", 0, 1, True],
        ["click", 0, 1, True],
    ]


@pytest.mark.parametrize(
    ("button", "count", "expected"),
    [
        ("right", 1, [["contextmenu", 2, 0, True], ["auxclick", 2, 1, True]]),
        ("middle", 1, [["auxclick", 1, 1, True]]),
        ("left", 2, [["click", 0, 1, True], ["click", 0, 2, True], ["dblclick", 0, 2, True]]),
    ],
)
async def test_other_buttons_and_double_clicks(
    tab: Tab, web: Web, button: str, count: int, expected: list[object]
) -> None:
    await tab.goto(
        web.page(f"""<button>Save</button>{LOG}<script>
        listen(document.querySelector("button"), "click", "auxclick", "dblclick", "contextmenu");
        </script>""")
    )
    await tab.element("button").click(button=button, count=count)  # type: ignore[arg-type] # from parametrize
    assert await tab.evaluate("seen") == expected


async def test_a_triple_click_selects_the_paragraph(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>one two three</p><p>four</p>"))
    await tab.element("p >> first").click(count=3)
    assert await tab.evaluate("getSelection().toString().trim()") == "one two three"


async def test_modifiers_are_held_during_the_click(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="this.textContent = [event.ctrlKey, event.shiftKey, event.altKey]">x</button>"""
        )
    )
    await tab.element("button").click(modifiers=["Control", "shift"])
    assert await tab.element("button").text() == "true,true,false"


async def test_a_position_is_counted_from_the_upper_left_corner(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<div style="width: 200px; height: 100px; margin: 30px"
            onclick="this.textContent = [event.offsetX, event.offsetY]">here</div>"""
        )
    )
    await tab.element("div").click(position=(150, 20))
    assert await tab.element("div").text() == "150,20"


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ((math.nan, 1), "(nan, 1) is not a position. Give two numbers, in pixels."),
        ((900, 5), 'That position is outside of button "Save". It is 100 by 40 pixels.'),
        ((5, -1), 'That position is outside of button "Save". It is 100 by 40 pixels.'),
    ],
)
async def test_a_position_outside_the_element_is_rejected(
    tab: Tab, web: Web, position: tuple[float, float], message: str
) -> None:
    await tab.goto(web.page("<button style='width: 100px; height: 40px'>Save</button>"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("button").click(position=position)
    assert str(refusal.value) == message


async def test_an_element_below_is_scrolled_into_view(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<div style="height: 5000px"></div><div style="height: 100px; overflow: auto">
            <div style="height: 900px"></div><button onclick="this.textContent = 'done'">Save</button></div>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


async def test_an_element_under_a_sticky_header_is_scrolled_free(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<header style="position: sticky; top: 0; height: 120px; background: white">Top</header>
            <div style="height: 1000px"></div><button onclick="this.textContent = 'done'">Save</button>
            <div style="height: 3000px"></div><script>scrollTo(0, 1050)</script>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


async def test_click_on_a_covered_button_names_the_cover(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="this.textContent = 'pressed'">Save</button>
            <div style="position: fixed; inset: 0; background: white"><p>We use cookies</p></div>"""
        )
    )
    with pytest.raises(Blocked) as refusal:
        await tab.element("button").click(timeout=0.3)
    assert str(refusal.value) == (
        'button "Save" is covered by div "We use cookies". Close or move that first.'
    )
    assert await tab.element("button").text() == "Save"


async def test_a_partly_covered_element_is_clicked_where_it_is_visible(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button style="width: 300px; height: 40px" onclick="this.textContent = 'done'">Save</button>
            <div style="position: fixed; top: 0; left: 100px; width: 120px; height: 100px">over</div>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


async def test_a_click_waits_for_an_overlay_to_disappear(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="this.textContent = 'done'">Save</button>
            <div id=over style="position: fixed; inset: 0; background: white">Loading</div>
            <script>setTimeout(() => over.remove(), 200)</script>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


async def test_a_disabled_button_is_blocked_until_it_is_enabled(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<fieldset disabled><button onclick="this.textContent = 'done'">Save</button></fieldset>"""
        )
    )
    with pytest.raises(Blocked, match=r'^button "Save" is disabled\. Enable it first\.$'):
        await tab.element("button").click(timeout=0.2)
    await tab.evaluate("setTimeout(() => document.querySelector('fieldset').disabled = false, 100); 0")
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<button style='display: none'>Save</button>", "its display is none"),
        ("<div style='display: none'><button>Save</button></div>", 'div "Save" around it has display none'),
        ("<button style='visibility: hidden'>Save</button>", "its visibility is hidden"),
        ("<button style='width: 0; padding: 0; border: 0; overflow: hidden'></button>", "it has no size"),
        (
            "<details><summary>More</summary><button>Save</button></details>",
            "it is in a closed details element",
        ),
    ],
)
async def test_a_hidden_element_is_blocked_with_the_reason(tab: Tab, web: Web, html: str, why: str) -> None:
    await tab.goto(web.page(html))
    with pytest.raises(Blocked) as refusal:
        await tab.element("button").click(timeout=0.1)
    assert refusal.value.message.endswith(f"is not visible: {why}.")


async def test_a_sliding_element_is_clicked_once_it_stops(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>@keyframes slide { from { left: 0 } to { left: 500px } }
            button { position: absolute; left: 500px; animation: slide 400ms }</style>
            <button onclick="this.textContent = document.getAnimations().length">Save</button>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "0"


async def test_an_element_that_never_stops_moving_is_blocked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>@keyframes slide { from { left: 0 } to { left: 500px } }
            button { position: absolute; animation: slide 1s infinite linear }</style>
            <button>Save</button>"""
        )
    )
    with pytest.raises(Blocked, match=r'^button "Save" keeps moving\.'):
        await tab.element("button").click(timeout=0.3)


async def test_an_animation_elsewhere_does_not_delay_the_click(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>@keyframes spin { to { rotate: 1turn } } i { animation: spin 1s infinite }</style>
            <i>o</i><button onclick="this.textContent = 'done'">Save</button>"""
        )
    )
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


Act = Callable[[Tab, float], Awaitable[object]]


async def drag_onto_the_end(tab: Tab, timeout: float) -> None:
    await tab.element("#source").drag_to(tab.element("#end"), timeout=timeout)


ACTS: dict[str, Act] = {
    "hover": lambda tab, timeout: tab.element("#source").hover(timeout=timeout),
    "tap": lambda tab, timeout: tab.element("#source").tap(timeout=timeout),
    "swipe": lambda tab, timeout: tab.element("#source").swipe("up", 20, timeout=timeout),
    "drag_to": drag_onto_the_end,
}
IN_THE_WAY = {
    "covered": (
        "",
        "<div style='position: fixed; inset: 0; background: white'><p>We use cookies</p></div>",
        'button "Save" is covered by div "We use cookies".',
    ),
    "moving": (
        "style='position: absolute; animation: slide 1s infinite linear'",
        "<style>@keyframes slide { from { left: 0 } to { left: 500px } }</style>",
        'button "Save" keeps moving.',
    ),
    "hidden": (
        "style='visibility: hidden'",
        "",
        'button "Save" is not visible: its visibility is hidden.',
    ),
    "disabled": ("disabled", "", 'button "Save" is disabled.'),
}
# A pointer may rest on, and a finger scroll from, what is disabled.
ALLOWED = {("hover", "disabled"), ("swipe", "disabled")}
SEEN = "pointerover pointerdown touchstart dragstart"


@pytest.mark.same_tab
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("way", IN_THE_WAY)
async def test_a_blocked_action_names_the_reason_and_changes_nothing(
    tab: Tab, web: Web, act: str, way: str
) -> None:
    attributes, more, message = IN_THE_WAY[way]
    await tab.mouse.move(0, 0)
    await tab.goto(
        web.page(
            f"""<body style="padding-top: 200px"><button id=source {attributes}>Save</button>{more}
            <p id=end>End</p><script>
              let met = 0;
              for (const type of "{SEEN}".split(" ")) source.addEventListener(type, () => met++);
            </script>"""
        )
    )
    if (act, way) in ALLOWED:
        await ACTS[act](tab, 5)
        return
    with pytest.raises(Blocked) as refusal:
        await ACTS[act](tab, 0.2)
    assert (refusal.value.message, await tab.evaluate("met")) == (message, 0)


LATER: dict[str, Act] = {
    "drag_to": drag_onto_the_end,
    "check": lambda tab, timeout: tab.element("#source").check(timeout=timeout),
    "fill": lambda tab, timeout: tab.element("#source").fill("true", timeout=timeout),
}


@pytest.mark.parametrize("act", LATER)
async def test_all_steps_of_an_action_share_its_timeout(tab: Tab, web: Web, act: str) -> None:
    await tab.goto(
        web.page(
            """<div id=over style="position: fixed; inset: 0; background: white">Wait</div><script>
            const begin = () => setTimeout(() => {
              document.body.insertAdjacentHTML(
                "beforeend", "<p id=end>End</p><input id=source type=checkbox aria-label=Agree>");
              setTimeout(() => over.remove(), 900);
            }, 700);
            </script>"""
        )
    )
    await tab.evaluate("begin()")
    with pytest.raises(Blocked) as refusal:
        await LATER[act](tab, 1.0)
    assert refusal.value.message == 'checkbox "Agree" is covered by div "Wait".'


async def test_a_busy_page_does_not_exceed_the_timeout(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button>"))
    tab.session.post("Runtime.evaluate", expression="for (;;);")
    with pytest.raises(TimedOut) as late:
        await tab.element("button").click(timeout=0.1)
    assert late.value.message == "The page did not answer in time about button."


async def test_a_press_that_would_hit_another_element_is_swallowed(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button style="position: absolute; left: 10px; top: 10px">Save</button>
            <script>
              let wrong = 0;
              const button = document.querySelector("button");
              document.addEventListener("mousemove", () => {
                button.style.left = (parseInt(button.style.left) + 200) % 600 + "px";
              });
              document.addEventListener("mousedown", event => { if (event.target !== button) wrong++; });
              document.addEventListener("click", event => { if (event.target !== button) wrong++; });
            </script>"""
        )
    )
    with pytest.raises(Blocked) as refusal:
        await tab.element("button").click(timeout=0.5)
    assert refusal.value.message == 'button "Save" was not clicked: the bare page had taken its place.'
    assert await tab.evaluate("wrong") == 0


async def test_a_click_that_opens_a_dialog_is_done_when_the_dialog_is_open(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("""<button onclick="this.textContent = confirm('Sure?')">Delete</button>"""))
    await tab.element("button").click()
    assert tab.dialogs.open == Dialog("confirm", "Sure?")
    with pytest.raises(Blocked, match=r'^The page shows a confirm dialog "Sure\?"\.'):
        await tab.element("button").click()
    await tab.dialogs.accept()
    assert await tab.element("button").text() == "true"


async def test_a_dialog_opened_on_mousedown_does_not_block_the_click(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("""<button onmousedown="alert('down')">Save</button>"""))
    with anyio.fail_after(60):
        await tab.element("button").click()
    await tab.dialogs.accept()
    assert await tab.element("button").text() == "Save"


async def test_a_click_may_close_its_own_tab(tab: Tab, web: Web) -> None:
    popup = web.page("""<button onclick="window.close()">Close</button>""", "/popup")
    await tab.goto(web.page(f"""<button onclick="window.open('{popup}')">Open</button>"""))
    with tab.context.expect_tab() as expected:
        await tab.element("button").click()
    opened = await expected.wait()
    await opened.navigation.wait()
    await opened.element("text=Close").click()
    with anyio.fail_after(60):
        await opened.closed.wait()
    with pytest.raises(NotFound, match=f"^Tab {opened.id} is closed"):
        await opened.element("text=Close").click()


@pytest.mark.parametrize("event", ["mousedown", "mouseup", "click"])
async def test_a_click_may_navigate(tab: Tab, web: Web, event: str) -> None:
    there = web.page("<h1>There</h1>", "/there")
    await tab.goto(web.page(f"""<button on{event}="location = '{there}'">Go</button>"""))
    commits = tab.navigation.commits
    await tab.element("button").click()
    assert (await tab.navigation.next(after=commits)).url == there
    assert await tab.element("h1").text() == "There"


async def test_a_hidden_checkbox_is_clicked_through_its_label(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("""<input type=checkbox id=agree style="display: none"><label for=agree>I agree</label>""")
    )
    await tab.element("#agree").click()
    assert await tab.evaluate("agree.checked") is True


async def test_an_icon_without_pointer_events_clicks_its_button(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<button onclick="this.title = 'done'"><svg width=20 height=20 style="pointer-events: none">
            <circle cx=10 cy=10 r=8 /></svg></button>"""
        )
    )
    await tab.element("svg").click()
    assert await tab.element("button").attribute("title") == "done"


async def test_a_link_wrapped_over_two_lines_is_clicked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<p style="width: 220px; font: 16px monospace">aaaaaaaaaaaaaaaaaa <a href="#there">bbbb cccc</a> dd</p>"""
        )
    )
    await tab.element("a").click()
    assert tab.url.endswith("#there")


async def test_an_element_removed_before_the_click_is_stale(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button>"))
    await tab.snapshot()
    await tab.evaluate("document.querySelector('button').remove()")
    with pytest.raises(Stale) as refusal:
        await tab.element("@e1").click()
    assert str(refusal.value) == (
        '@e1 (button "Save") is not on this page any more. Take a snapshot, then use a ref from it.'
    )


async def test_a_click_by_ref_follows_a_replaced_element(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<main><button>Save</button></main>"))
    await tab.snapshot()
    await tab.evaluate(
        "document.querySelector('main').innerHTML = `<button onclick=\"this.title = 'done'\">Save</button>`; 0"
    )
    refs = [node.number for node in (await tab.snapshot()).walk() if node.role == "button"]
    await tab.element("@e2").click()
    assert await tab.element("button").attribute("title") == "done"
    assert refs != [2]


@pytest.mark.parametrize("site", ["url", "other_site"])
async def test_a_click_that_starts_an_endless_script_fails(tab: Tab, web: Web, site: str) -> None:
    web.page("<button onclick='for (;;);'>Save</button>", "/inner")
    await tab.goto(web.page(f"""<iframe src="{getattr(web, site)}/inner"></iframe>"""))
    with pytest.raises(PageFailed) as refusal:
        await tab.element("button").click()
    assert str(refusal.value) == (
        "The input started a script that blocked the page and was stopped. "
        "The page may be in an unfinished state; take a snapshot to check."
    )
    assert await tab.element("button").text() == "Save"


async def test_a_click_on_a_list_leaves_the_page_usable(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<select><option>A<option>B</select><input type=date><input type=color>
            <button onclick="this.textContent = 'done'">Save</button>"""
        )
    )
    for control in ("select", "[type=date]", "[type=color]"):
        await tab.element(control).click()
    await tab.element("button").click()
    assert await tab.element("button").text() == "done"


async def test_an_invalid_click_count_is_rejected(tab: Tab) -> None:
    with pytest.raises(InvalidArgs, match=r"^count must be 1, 2 or 3, not 4\.$"):
        await tab.element("body").click(count=4)


async def test_hover_applies_hover_styles(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<style>span { display: none } div:hover span { display: inline }</style>
            <div>Menu <span>Open</span></div>"""
        )
    )
    await tab.element("div").hover()
    assert (await tab.element("span").state()).visible is True


async def test_a_button_that_its_custom_element_handles_is_clicked(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<my-tab></my-tab><script>
            const host = document.querySelector("my-tab");
            host.attachShadow({ mode: "open" }).innerHTML = `<button style="pointer-events: none">Map</button>`;
            host.addEventListener("click", () => { document.title = "clicked" });
            </script>"""
        )
    )
    await tab.element("text=Map").click(timeout=0)
    assert await tab.title() == "clicked"


async def test_an_icon_that_changes_under_the_pointer_gets_the_click(tab: Tab, web: Web) -> None:
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="14" height="14"><rect width="14" height="14"/></svg>'
    )
    for path in ("/icon.svg", "/icon-hover.svg"):
        web.route(path, lambda _: Response(picture, headers={"content-type": "image/svg+xml"}))
    await tab.goto(
        web.page("""<style>section { position: relative; height: 40px } div { position: absolute; bottom: 0 }
        span { content: url(/icon.svg); height: 14px } span:hover { content: url(/icon-hover.svg) }</style>
        <section><p></p><div><b><span></span></b></div></section>
        <script>document.querySelector("span").onclick = () => { document.title += "clicked" }</script>""")
    )
    await tab.element("span").click()
    assert await tab.title() == "clicked"
