"""What covers the page comes first and says what it covers."""

import pytest

from tabwright.browser.tab import Tab
from tests.web import Web

TEXT = "<main><h1>News</h1>" + "<p>Some text of the page.</p>" * 40 + "</main>"
COVERED = {
    "a cookie banner": (
        (
            "<div style='position:fixed;bottom:0;left:0;right:0;height:90px;background:#eee'>We use cookies"
            "<button>Accept</button></div>"
        ),
        [
            "- @e1: overlay (covers the bottom of the page)",
            '  - "We use cookies"',
            '  - @e2: button "Accept"',
        ],
    ),
    "a dialog in a full-screen wrapper": (
        (
            "<div style='position:fixed;inset:0;background:#0008'><div role=dialog aria-label=Sign>"
            "<button>Go</button></div></div>"
        ),
        ['- @e1: dialog "Sign" (covers the page)', '  - @e2: button "Go"'],
    ),
    "a dialog of which only a part is positioned": (
        (
            "<div role=dialog aria-label=Sign><div style='position:fixed;inset:0;background:#fff'>"
            "<div tabindex=-1><button>Go</button></div></div></div>"
        ),
        ['- @e1: dialog "Sign" (covers the page)', '  - @e2: button "Go"'],
    ),
    "a drawer beside its backdrop": (
        (
            "<div style='position:absolute;z-index:9;top:0;left:0;width:300px;height:600px;background:#fff'><h2>Menu</h2>"
            "<a href=/a>A</a></div><div style='position:fixed;inset:0;background:#0008;z-index:8'></div>"
        ),
        [
            "- @e1: overlay (covers the page)",
            '  - @e2: heading "Menu" (level: 2)',
            '  - @e3: link "A" → /a',
        ],
    ),
    "a menu at the end of the body": (
        (
            "<div style='position:absolute;z-index:9;top:60px;left:0;width:200px;height:99px;background:#fff'>"
            "<ul role=menu><li role=menuitem>Copy</ul></div>"
        ),
        ["- @e1: menu (covers a part of the page)", '  - @e2: menuitem "Copy"'],
    ),
}


@pytest.mark.parametrize("case", COVERED)
async def test_what_covers_the_page_comes_first(tab: Tab, web: Web, case: str) -> None:
    html, expected = COVERED[case]
    await tab.goto(web.page(TEXT + html))
    lines = str(await tab.snapshot()).splitlines()[1:]
    assert lines[: len(expected)] == expected
    assert lines[len(expected)].endswith(": main")


NOT_COVERED = {
    "a bar of the page": "<header style='position:fixed;top:0;left:0;right:0;height:60px'>Site <a href=/>Home</a></header>",
    "a layer that lets clicks through": (
        "<div style='position:fixed;inset:0;pointer-events:none'><div>Saved</div></div>"
    ),
    "a small button": "<button style='position:fixed;bottom:9px;right:9px;width:50px;height:50px'>?</button>",
}


@pytest.mark.parametrize("case", NOT_COVERED)
async def test_what_belongs_to_the_page_stays_in_place(tab: Tab, web: Web, case: str) -> None:
    await tab.goto(web.page(TEXT + NOT_COVERED[case]))
    text = str(await tab.snapshot())
    assert text.splitlines()[1] == "- @e1: main"
    assert "covers" not in text


async def test_a_page_in_a_fixed_box_is_not_a_cover(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<div style='position:fixed;inset:0'><h1>App</h1><p>Text</p></div>"))
    assert str(await tab.snapshot()).splitlines()[1:] == ['- @e1: heading "App" (level: 1)', '- "Text"']
