"""Finding elements: every kind of target, in frames and shadow roots; no match, several matches, bad targets."""

import re
from collections.abc import Awaitable, Callable

import pytest

from tabwright.browser.geometry import Box
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound, Stale
from tests.web import Web

PAGE = """
<h1 id=top>Shop</h1>
<label>E-mail <input id=mail placeholder="you@example.com"></label>
<input id=named aria-label="Nick name">
<button id=save data-testid=save-button>Save</button>
<button id=draft>Save draft</button>
<input id=send type=submit value="Send it">
<img id=logo alt="Our logo" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20>
<a id=home href=/ title="Go home">Home</a>
<p id=price>Price: <b id=twelve>12</b> EUR</p>
<div id=outer><div id=inner>Inner</div></div>
"""


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("#save", "save"),
        ("css=button:nth-of-type(2)", "draft"),
        ("//button[. = 'Save draft']", "draft"),
        ("xpath=//p/b/..", "price"),
        ("text=Save", "save"),
        ("text='Save'", "save"),
        ("text=save DRAFT", "draft"),
        ("text=send", "send"),
        ("text=Price: 12 EUR", "price"),
        ("text=price: 12", "price"),
        ("role=button[name='Save']", "save"),
        ('role=button[name="draft"]', "draft"),
        ('role=link "Home"', "home"),
        ("role=heading", "top"),
        ("role=img", "logo"),
        ("label=E-mail", "mail"),
        ("label=nick", "named"),
        ("placeholder=you@", "mail"),
        ("testid=save-button", "save"),
        ("alt=our logo", "logo"),
        ("title=Go home", "home"),
        ("button >> nth=1", "draft"),
        ("button >> first", "save"),
        ("button >> last", "draft"),
        ("body >> text=Home", "home"),
        ("css=p >> css=b >> xpath=..", "price"),
        ('button:has-text("draft")', "draft"),
        ("button:text-is('save')", "save"),
        ('"Save"', "save"),
        ('p:has-text("12") b', "twelve"),
        ('p:has-text("12") > b', "twelve"),
        ('body > :has-text("price")', "price"),
        ("body :has-text('price')", "price"),
        ('input:has-text("send")', "send"),
        ('div:has-text("Inner")', "inner"),
        ('#outer:has-text("Inner"):visible >> css=div', "inner"),
        ("p:contains(EUR)#price", "price"),
        ("a:visible", "home"),
        ('getByRole("button", { name: "draft" })', "draft"),
        ("page.getByText('Save', { exact: true })", "save"),
        ("getByLabel('nick')", "named"),
        ("getByTestId('save-button')", "save"),
        ("locator('#home')", "home"),
        ("id=home", "home"),
        ("data-testid=save-button", "save"),
    ],
)
async def test_an_element_is_found_by(tab: Tab, web: Web, target: str, found: str) -> None:
    await tab.goto(web.page(PAGE))
    assert await tab.element(target).attribute("id") == found


async def test_the_page_title_is_not_matched_as_text(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Second</title><p>first</p>"))
    with pytest.raises(NotFound):
        await tab.element("text=Second").click(timeout=0.1)


async def test_an_element_is_found_by_the_ref_of_a_snapshot(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    refs = {node.name: node.number for node in (await tab.snapshot()).walk()}
    assert await tab.element(f"@e{refs['Save draft']}").attribute("id") == "draft"
    assert await tab.element(f"e{refs['Save']}").attribute("id") == "save"


async def test_no_match_lists_similar_elements_with_usable_refs(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button><button>Save draft</button><a href=/>Nothing</a>"))
    with pytest.raises(NotFound) as refusal:
        await tab.element("text=Sav drat").click(timeout=0)
    assert str(refusal.value) == (
        'No element matches text=Sav drat. Similar: @e1 button "Save draft", @e2 button "Save".'
    )
    assert await tab.element("@e1").text() == "Save draft"


async def test_no_match_on_an_empty_page_suggests_a_snapshot(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Nothing"))
    with pytest.raises(NotFound) as refusal:
        await tab.element("#save").click(timeout=0)
    assert str(refusal.value) == "No element matches #save. Take a snapshot to see what is there."


async def test_several_matches_are_listed_in_the_error(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Yes</button><button>No</button>"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("button").click()
    assert str(refusal.value) == (
        'button matches 2 elements. Choose one: @e1 button "Yes", @e2 button "No", or add \' >> nth=0\'.'
    )
    assert await tab.element("@e2").text() == "No"


async def test_the_only_visible_one_of_several_matches_is_used(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button hidden>Save</button><button id=here>Save</button>"))
    assert await tab.element("text=Save").attribute("id") == "here"


async def test_several_matches_without_a_visible_one_count_as_hidden(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button hidden>Save</button><button hidden>Save</button>"))
    with pytest.raises(Blocked, match="is not visible: its display is none"):
        await tab.element("text=Save").click(timeout=0)


async def test_an_index_beyond_the_matches_is_not_found(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Yes</button><button>No</button>"))
    with pytest.raises(NotFound) as refusal:
        await tab.element("button >> nth=2").click(timeout=0)
    assert str(refusal.value) == "button >> nth=2 is out of range: 2 matches. Count from nth=0."


HINT = (
    'Write a ref (@e7), CSS, xpath=//…, text=…, role=button[name="Save"], label=…, placeholder=… or testid=….'
)


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("button[", '"button[" is not a CSS selector.'),
        ("css=:nope(1)", '":nope(1)" is not a CSS selector.'),
        ("//button[", '"//button[" is not an XPath.'),
        ("xpath=count(//p)", '"count(//p)" is an XPath that does not select elements.'),
        ("", "The target is empty."),
        ("button >> ", "The target has an empty part."),
        ("text=", "text= has no value."),
        ("nth=1", "'nth=1' needs a selector before it."),
        ("div:has(:has-text('a'))", "\"div:has(:has-text('a'))\" is not a CSS selector."),
        ("x" * 30_000, "The target is too long."),
    ],
)
async def test_a_malformed_selector_is_rejected_with_the_reason(
    tab: Tab, web: Web, target: str, message: str
) -> None:
    await tab.goto(web.page("<p>Here"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element(target).click()
    assert (refusal.value.message, refusal.value.hint) == (message, HINT)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "li:has-text('a'), p",
            "li:has-text('a'), p combines a text pseudo-class with a list or with siblings.",
        ),
        ("b:text(a) + i", "b:text(a) + i combines a text pseudo-class with a list or with siblings."),
        ("p:has-text()", ":has-text() has no text."),
    ],
)
async def test_what_text_pseudo_classes_cannot_do_is_rejected(tab: Tab, target: str, message: str) -> None:
    with pytest.raises(InvalidArgs) as refusal:
        tab.element(target)
    assert refusal.value.message == message


async def test_a_malformed_role_is_rejected(tab: Tab) -> None:
    with pytest.raises(InvalidArgs) as refusal:
        tab.element("role=button[level=2]")
    assert str(refusal.value) == (
        'role=button[level=2] is malformed. Write role=button, or role=button[name="Save"].'
    )


async def test_an_unknown_ref_is_not_found(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Here"))
    with pytest.raises(NotFound, match=r"^Unknown ref @e99"):
        await tab.element("@e99").click()


async def test_a_ref_of_an_earlier_page_is_stale(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<button>Save</button>"))
    await tab.snapshot()
    await tab.goto(web.page("<button>Save</button>"))
    with pytest.raises(Stale, match=r"^@e1 \(button \"Save\"\) is not on this page any more\."):
        await tab.element("@e1").click()


async def test_an_element_that_appears_late_is_waited_for(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<script>setTimeout(() => document.body.innerHTML =
            "<button onclick='this.textContent = 1'>Save</button>", 200)</script>"""
        )
    )
    await tab.element("text=Save").click()
    assert await tab.element("button").text() == "1"


SHADOW = """<div id=host></div><script>
  const root = host.attachShadow({ mode: "MODE" });
  root.innerHTML = "<p id=inside>Hello</p><div></div>";
  const inner = root.querySelector("div").attachShadow({ mode: "MODE" });
  inner.innerHTML = "<label>Name <input></label><button onclick='this.textContent = 1'>Save</button>";
  globalThis.inner = inner;
</script>"""


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "target",
    ["button", "text=Save", "role=button", "//button", "#host >> button", "label=Name >> xpath=../../button"],
)
async def test_elements_in_shadow_roots_are_found_and_clicked(tab: Tab, web: Web, target: str) -> None:
    await tab.goto(web.page(SHADOW.replace("MODE", "open")))
    await tab.element(target).click()
    assert await tab.evaluate("inner.querySelector('button').textContent") == "1"


async def test_elements_in_nested_closed_shadow_roots_are_clicked_and_filled(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(SHADOW.replace("MODE", "closed")))
    await tab.element("text=Save").click()
    assert await tab.evaluate("inner.querySelector('button').textContent") == "1"
    await tab.element("label=Name").fill("Ada")
    assert await tab.evaluate("inner.querySelector('input').value") == "Ada"


@pytest.mark.parametrize(
    "seek",
    [
        lambda tab: tab.waits.element("text=Save", timeout=10),
        lambda tab: tab.waits.text("Save", timeout=10),
        lambda tab: tab.element("text=Save").click(timeout=10),
    ],
    ids=["element", "text", "click"],
)
async def test_a_closed_shadow_root_that_appears_late_is_waited_for(
    tab: Tab, web: Web, seek: Callable[[Tab], Awaitable[None]]
) -> None:
    await tab.goto(
        web.page(
            """<p>Wait</p><script>setTimeout(() => {
              document.body.insertAdjacentHTML("beforeend", "<div id=host></div>");
              host.attachShadow({ mode: "closed" }).innerHTML = "<button>Save</button>";
            }, 300)</script>"""
        )
    )
    await seek(tab)


KINDS = {
    "ref": "",
    "css": "input#PLACE",
    "xpath": "//input[@id='PLACE']",
    "text": "text=Remark in PLACE",
    "role and name": 'role=textbox[name="Name in PLACE"]',
    "label": "label=Name in PLACE",
    "placeholder": "placeholder=Your PLACE",
    "test id": "testid=PLACE-name",
}
PLACES = ("near", "far", "open", "closed")
FORM = """<label>Name in PLACE <input id=PLACE placeholder='Your PLACE' data-testid=PLACE-name></label>
<p id=PLACE>Remark in PLACE</p>"""


@pytest.mark.same_tab
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_of_selector_searches_frames_and_shadow_roots(
    tab: Tab, web: Web, kind: str, place: str
) -> None:
    near, far, opened, closed = (FORM.replace("PLACE", name) for name in PLACES)
    web.page(near, "/near")
    web.page(far, "/far")
    await tab.goto(
        web.page(
            f"""<iframe src=/near></iframe><iframe src="{web.other_site}/far"></iframe>
            <div id=o></div><div id=c></div><script>
              o.attachShadow({{ mode: "open" }}).innerHTML = `{opened}`;
              c.attachShadow({{ mode: "closed" }}).innerHTML = `{closed}`;
            </script>"""
        )
    )
    target = KINDS[kind].replace("PLACE", place)
    if kind == "ref":
        line = next(line for line in str(await tab.snapshot()).splitlines() if f"Name in {place}" in line)
        target = re.search(r"@e\d+", line)[0]  # type: ignore[index] # the line has a ref, or the test fails
    element = tab.element(target)
    assert (await element.attribute("id"), await element.html()) == (
        place,
        f'<p id="{place}">Remark in {place}</p>'
        if kind == "text"
        else f'<input id="{place}" placeholder="Your {place}" data-testid="{place}-name">',
    )


BUTTON = """<button onclick="this.textContent = 'done'">Save</button>"""


@pytest.mark.parametrize("site", ["url", "other_site"])
async def test_elements_in_frames_are_found_and_clicked(tab: Tab, web: Web, site: str) -> None:
    web.page(f"<p>Inner</p><div style='height: 900px'></div>{BUTTON}", "/inner")
    await tab.goto(
        web.page(
            f"""<button>Outer</button><div style='height: 1500px'></div>
            <iframe src="{getattr(web, site)}/inner" style="border: 7px solid; padding: 11px"></iframe>"""
        )
    )
    await tab.element("text=Save").click()
    assert await tab.element("text=done").text() == "done"


async def test_matches_in_several_frames_are_ambiguous(tab: Tab, web: Web) -> None:
    web.page("<button>Save</button>", "/inner")
    await tab.goto(web.page(f"""<button>Save</button><iframe src="{web.other_site}/inner"></iframe>"""))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("button").click()
    assert str(refusal.value) == (
        'button matches 2 elements. Choose one: @e1 button "Save", @e2 button "Save", or add \' >> nth=0\'.'
    )
    await tab.element("button >> nth=1").focus()
    assert (await tab.element("@e2").state()).focused is True


async def test_elements_in_scaled_nested_frames_are_clicked(tab: Tab, web: Web) -> None:
    web.page(BUTTON, "/innermost")
    web.page(f"""<iframe src="{web.url}/innermost" style="margin: 40px; zoom: 1.5"></iframe>""", "/inner")
    await tab.goto(
        web.page(
            f"""<iframe src="{web.other_site}/inner" width=500 height=400
            style="transform: scale(0.5) translate(100px, 60px); border: 20px solid red"></iframe>"""
        )
    )
    await tab.element("text=Save").click()
    assert await tab.element("text=done").text() == "done"


async def test_an_element_in_a_covered_frame_is_blocked(tab: Tab, web: Web) -> None:
    web.page(BUTTON, "/inner")
    await tab.goto(
        web.page(
            f"""<iframe src="{web.other_site}/inner" title=Inner></iframe>
            <div style="position: fixed; inset: 0; background: white">Sign up</div>"""
        )
    )
    with pytest.raises(Blocked, match=r'is covered by div "Sign up"\.'):
        await tab.element("text=Save").click(timeout=0.3)


async def test_the_box_of_an_element_in_a_frame_is_in_the_viewport_of_the_tab(tab: Tab, web: Web) -> None:
    web.page("<body style='margin: 0'><div style='width: 50px; height: 20px'>x</div>", "/inner")
    await tab.goto(
        web.page(
            f"""<body style="margin: 0"><iframe src="{web.other_site}/inner" width=300 height=200
            style="position: absolute; left: 100px; top: 50px; border: 10px solid; scale: 0.5;
            transform-origin: 0 0"></iframe>"""
        )
    )
    assert await tab.element("text=x").box() == Box(105, 55, 25, 10)


async def test_a_frame_that_appears_late_is_waited_for(tab: Tab, web: Web) -> None:
    web.page(BUTTON, "/inner")
    await tab.goto(
        web.page(
            f"""<script>setTimeout(() => document.body.innerHTML =
            '<iframe src="{web.other_site}/inner"></iframe>', 150)</script>"""
        )
    )
    await tab.element("text=Save").click()
    assert await tab.element("text=done").text() == "done"


async def test_a_form_whose_fields_shadow_its_properties_is_found(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<form id=f><input name=getAttribute><input name=matches><input name=children>
            <input name=textContent><input name=id><button type=button>Save</button></form>"""
        )
    )
    assert await tab.element("form").attribute("id") == "f"
    await tab.element("text=Save").click()


async def test_text_of_scripts_and_styles_is_not_matched(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<script>const a = 'Save'</script><style>.Save {}</style><b>Save</b>"))
    assert await tab.element("text=Save").html() == "<b>Save</b>"


async def test_a_closed_tab_is_not_found(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(BUTTON))
    element = tab.element("button")
    await tab.close()
    with pytest.raises(NotFound, match=rf"^Tab {tab.id} is closed\."):
        await element.click()
