"""Reading elements and waiting for them, in real Chromium."""

import pytest

from tabwright.browser.element import State
from tabwright.browser.geometry import Box
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound, TimedOut
from tests.web import Web


async def test_the_properties_of_an_element_are_read(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<body style="margin: 0"><p style="margin: 0; width: 100px; height: 20px" class=big>One
            <b>two</b><script>3</script><i hidden>four</i></p><input value=five disabled><input type=checkbox checked>"""
        )
    )
    paragraph = tab.element("p")
    assert await paragraph.text() == "One two"
    assert await paragraph.box() == Box(0, 0, 100, 20)
    assert await paragraph.attribute("class") == "big"
    assert await paragraph.attribute("id") is None
    assert await tab.element("b").html() == "<b>two</b>"
    assert await tab.element("input >> nth=0").value() == "five"
    assert await tab.element("input >> nth=0").state() == State(
        visible=True, enabled=False, editable=False, checked=None, focused=False
    )
    assert await tab.element("input >> nth=1").state() == State(
        visible=True, enabled=True, editable=True, checked=True, focused=False
    )
    assert (await tab.element("i").state()).visible is False


async def test_nothing_is_sent_until_an_element_is_used(tab: Tab) -> None:
    element = tab.element("text=Not there yet")
    assert (element.label, repr(element)) == ("text=Not there yet", "<Element text=Not there yet>")


async def test_a_label_contains_no_invisible_characters(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Sa\u200bve\u202e  now</button>"))
    button = tab.element("button")
    await button.focus()
    assert button.label == 'button "Save now"'


async def test_focus_and_blur(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<label>Name <input></label>"))
    field = tab.element("text=Name")
    await field.focus()
    assert (await tab.element("input").state()).focused is True
    await field.blur()
    assert (await tab.element("input").state()).focused is False


async def test_text_is_selected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>one <b>two</b></p><p>three</p><input value=four>"))
    await tab.element("p >> first").select_text()
    assert await tab.evaluate("getSelection().toString()") == "one two"
    await tab.element("input").select_text()
    assert await tab.evaluate("getSelection().toString()") == "four"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("state", "html", "later"),
    [
        ("visible", "<p hidden>x</p>", "document.querySelector('p').hidden = false"),
        ("visible", "", "document.body.innerHTML = '<p>x</p>'"),
        ("attached", "", "document.body.innerHTML = '<p hidden>x</p>'"),
        ("hidden", "<p>x</p>", "document.querySelector('p').style.display = 'none'"),
        ("hidden", "<p>x</p>", "document.querySelector('p').remove()"),
        ("detached", "<p>x</p>", "document.querySelector('p').remove()"),
        (
            "enabled",
            "<p><button disabled>x</button></p>",
            "document.querySelector('button').disabled = false",
        ),
        ("hidden", "<p>x</p>", "document.styleSheets.length || document.adoptedStyleSheets.push(sheet)"),
    ],
)
async def test_a_wait_ends_when_the_state_is_reached(
    tab: Tab, web: Web, state: str, html: str, later: str
) -> None:
    sheet = "const sheet = new CSSStyleSheet(); sheet.replaceSync('p { display: none }')"
    await tab.goto(web.page(f"<body>{html}<script>{sheet}</script>"))
    await tab.evaluate(f"setTimeout(() => {{ {later} }}, 150); 0")
    target = "button" if state == "enabled" else "p"
    await tab.waits.element(target, state, timeout=5)  # type: ignore[arg-type] # from parametrize


async def test_a_wait_continues_through_navigations_and_searches_frames(tab: Tab, web: Web) -> None:
    web.page("<p>Ready</p>", "/inner")
    last = web.page(f"""<iframe src="{web.other_site}/inner"></iframe>""")
    middle = web.page(f"<script>setTimeout(() => location = '{last}', 100)</script>")
    await tab.goto(web.page(f"<script>setTimeout(() => location = '{middle}', 100)</script>"))
    await tab.waits.element("text=Ready", timeout=10)
    assert tab.url == last


async def test_a_wait_that_times_out_reports_what_matches(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p hidden>x</p>"))
    with pytest.raises(TimedOut) as refusal:
        await tab.waits.element("p", timeout=0.3)
    assert str(refusal.value) == (
        "p did not become visible in 0.3 s: 1 match. Allow more time, or check the page."
    )
    with pytest.raises(TimedOut, match=r"^b did not become attached in 0\.1 s: nothing matches\."):
        await tab.waits.element("b", "attached", timeout=0.1)


async def test_an_invalid_wait_is_rejected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>x</p>"))
    with pytest.raises(InvalidArgs, match=r"^'ripe' is not a state to wait for\."):
        await tab.waits.element("p", "ripe")  # type: ignore[arg-type] # what a caller may send
    with pytest.raises(InvalidArgs, match=r'^"p\[" is not a CSS selector\.'):
        await tab.waits.element("p[")
    with pytest.raises(InvalidArgs, match=r"^The text to wait for is empty\."):
        await tab.waits.text(" ")
    with pytest.raises(InvalidArgs, match="is not valid JavaScript"):
        await tab.waits.function("}{")
    with pytest.raises(NotFound, match=r"^Unknown ref @e5"):
        await tab.waits.element("@e5")


async def test_a_ref_is_waited_for(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button>"))
    await tab.snapshot()
    await tab.waits.element("@e1")
    await tab.evaluate("setTimeout(() => document.querySelector('button').remove(), 100); 0")
    await tab.waits.element("@e1", "detached", timeout=5)


async def test_a_wait_for_a_text_to_appear_and_to_disappear(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Loading …</p>"))
    await tab.evaluate("setTimeout(() => document.body.innerHTML = '<p>All <b>done</b></p>', 150); 0")
    await tab.waits.text("all done", timeout=5)
    await tab.waits.text("Loading", gone=True, timeout=5)
    with pytest.raises(TimedOut, match=r"^The text 'more' did not appear in 0\.1 s"):
        await tab.waits.text("more", timeout=0.1)


async def test_a_url_is_waited_for(tab: Tab, web: Web) -> None:
    there = web.page("<p>There</p>", "/there")
    await tab.goto(web.page(f"<script>setTimeout(() => location = '{there}', 100)</script>"))
    assert await tab.waits.url("*/there", timeout=5) == there
    await tab.evaluate("setTimeout(() => history.pushState(0, '', '/there?page=2'), 50); 0")
    assert await tab.waits.url("*page=2", timeout=5) == f"{there}?page=2"
    with pytest.raises(TimedOut) as refusal:
        await tab.waits.url("*/nowhere", timeout=0.1)
    assert refusal.value.message == f"The URL did not match */nowhere in 0.1 s: it is {there}?page=2."


async def test_a_condition_is_waited_for(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<script>setTimeout(() => { window.total = 42 }, 150)</script>"))
    assert await tab.waits.function("window.total", timeout=5) == 42
    with pytest.raises(TimedOut, match=r"^The condition did not become true in 0\.2 s: it is False\."):
        await tab.waits.function("1 > 2", timeout=0.2)
    with pytest.raises(TimedOut, match="nowhere is not defined"):
        await tab.waits.function("nowhere.else", timeout=0.2)


async def test_an_open_dialog_is_named_in_the_error(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>x</p>"))
    await tab.evaluate("setTimeout(() => alert('Wait'), 50); 0")
    with pytest.raises(Blocked, match=r'^The page shows an alert dialog "Wait"\.'):
        await tab.waits.element("#never", timeout=5)
    await tab.dialogs.accept()
