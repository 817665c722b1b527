"""Accessible names in snapshots, as Chrome computes them."""

import pytest

from tabwright.browser.tab import Tab
from tests.web import Web

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="

NAMES = {
    "a checkbox that is referenced gives its label": (
        "<label><input type=checkbox id=wifi> Wi-Fi</label><button aria-labelledby=wifi></button>",
        ['- @e1: checkbox "Wi-Fi" (unchecked)', '- @e2: button "Wi-Fi"'],
    ),
    "a field that is referenced gives its value": (
        "<input id=amount aria-label=Amount value=12><button aria-labelledby=amount></button>",
        ['- @e1: textbox "Amount" = "12"', '- @e2: button "12"'],
    ),
    "a password that is referenced gives nothing": (
        "<input id=pin type=password aria-label=PIN value=1234><button aria-labelledby=pin></button>",
        ['- @e1: textbox "PIN" = "••••"', '- @e2: button "PIN"'],
    ),
    "what a label refers to": (
        "<b id=size>Size</b><label for=box aria-labelledby=size></label><input id=box>",
        ['- @e1: textbox "Size"'],
    ),
    "a label inside a heading is said once": (
        "<h2><label>Dark mode <input type=checkbox></label></h2>",
        ['- @e1: heading "Dark mode" (level: 2)', '  - @e2: checkbox "Dark mode" (unchecked)'],
    ),
    "what is referenced twice is said once": (
        "<h2><a href=/a aria-labelledby=mark>x</a> and <a href=/b>more <b id=mark>news</b></a></h2>",
        [
            '- @e1: heading "news and more" (level: 2)',
            '  - @e2: link "news" → /a',
            '  - @e3: link "more news" → /b',
        ],
    ),
    "a control that owns text": (
        "<p>Fast <b id=car>car</b></p><button aria-owns=car>Buy</button>",
        ['- "Fast car"', '- @e1: button "Buy car"'],
    ),
    "a hidden element is not owned": (
        "<a href=/w aria-owns=note>W3C</a><div hidden><span id=note>opens a window</span></div>",
        ['- @e1: link "W3C" → /w'],
    ),
    "visible text inside invisible text": (
        "<h2>One <span style='visibility:hidden'>two <b style='visibility:visible'>three</b></span></h2>",
        ['- @e1: heading "One three" (level: 2)'],
    ),
    "a closed details element inside a heading": (
        "<h2>One <details><summary>more</summary>two</details></h2>",
        ['- @e1: heading "One more" (level: 2)', '  - @e2: button "more" (collapsed)'],
    ),
    "a slot in a label": (
        (
            "<x-field><template shadowrootmode=open><label for=i><slot></slot></label><input id=i></template>"
            "Street</x-field>"
        ),
        ['- @e1: textbox "Street"'],
    ),
    "a slot cannot be named": (
        "<x-b><template shadowrootmode=open><button><slot aria-label=no></slot></button></template>Go</x-b>",
        ['- @e1: button "Go"'],
    ),
    "the title of a shape": (
        "<svg width=40 height=40><polygon points='0,0 40,0 40,40'><title>Slope</title></polygon></svg>",
        ['- @e1: image "Slope"'],
    ),
    "alternative text in a style sheet": (
        "<style>button::before { content: '★' / 'Favourite' }</style><button>Ada</button>",
        ['- @e1: button "Favourite Ada"'],
    ),
    "a counter": (
        (
            "<style>main { counter-reset: part 3 } h2 { counter-increment: part }"
            "h2::before { content: counter(part, upper-roman) '. ' }</style>"
            "<main><h2>Start</h2><h2 style='display:none'>Secret</h2><h2>End</h2></main>"
        ),
        [
            "- @e1: main",
            '  - @e2: heading "IV. Start" (level: 2)',
            '  - @e3: heading "V. End" (level: 2)',
        ],
    ),
    "nested counters": (
        (
            "<style>ol { counter-reset: n } li { counter-increment: n; list-style: none }"
            "li::before { content: counters(n, '.') ' ' }</style>"
            "<ol><li>One<ol><li>Deep</li><li>Deeper</li></ol></li><li>Two</li></ol>"
        ),
        ['- "1 One"', '- "1.1 Deep"', '- "1.2 Deeper"', '- "2 Two"'],
    ),
    "quotes of a style sheet": (
        "<style>h2::before { content: open-quote } h2::after { content: close-quote }</style><h2>Stay</h2>",
        ['- @e1: heading "“Stay”" (level: 2)'],
    ),
    "a label of white space only": (
        "<button aria-label='&nbsp;'>Save</button>",
        ['- @e1: button "Save"'],
    ),
    "an image too small to be seen names a control": (
        f"<a href=/f>See <img alt=flights width=1 height=1 src='{PIXEL}'> now</a>",
        ['- @e1: link "See flights now" → /f'],
    ),
    "an image too small to be seen does not name a heading": (
        f"<h2>See <img alt=flights width=1 height=1 src='{PIXEL}'> now</h2>",
        ['- @e1: heading "See now" (level: 2)'],
    ),
    "the actions of a control are not its name": (
        (
            "<div role=tablist><div role=tab tabindex=0 aria-actions=close>Inbox"
            "<button id=close>Close</button></div></div>"
        ),
        ["- @e1: tablist", '  - @e2: tab "Inbox"', '    - @e3: button "Close"'],
    ),
}


@pytest.mark.parametrize("case", NAMES)
async def test_the_name_of(tab: Tab, web: Web, case: str) -> None:
    html, expected = NAMES[case]
    await tab.goto(web.page(html))
    text = str(await tab.snapshot()).splitlines()
    assert [line for line in text[1:] if not line.startswith("[Left out")] == expected


ROLES = {
    "an option that a listbox owns": (
        "<div role=listbox aria-label=Size aria-owns=xl></div><div id=xl role=option>XL</div>",
        '- @e1: option "XL"',
    ),
    "a treeitem without a tree": ("<div role=treeitem tabindex=0>Docs</div>", '- @e1: clickable "Docs"'),
    "an empty alternative that can be focused": (
        f"<img alt='' tabindex=0 width=20 height=20 src='{PIXEL}'>",
        "- @e1: image",
    ),
}


@pytest.mark.parametrize("case", ROLES)
async def test_the_role_of(tab: Tab, web: Web, case: str) -> None:
    html, expected = ROLES[case]
    await tab.goto(web.page(html))
    assert expected in str(await tab.snapshot()).splitlines()
