"""Visible text is in the snapshot; hidden text is left out and counted."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabwright.browser.tab import Tab
from tests.web import Web

CASES = json.loads((Path(__file__).parents[2] / "cases" / "injection.json").read_text())


@dataclass(frozen=True)
class Case:
    """A way to write a word into a page, and whether it is visible."""

    technique: str
    html: str
    seen: bool


GIVEN = [Case(case["technique"], case["html"], case["human_visible"]) for case in CASES]

OWN = [
    Case("opacity 0", "<p style='opacity:0'>INJECT</p>", False),
    Case("opacity by a filter", "<p style='filter:opacity(0)'>INJECT</p>", False),
    Case("font size 0", "<p style='font-size:0'>INJECT</p>", False),
    Case("font size 2px", "<p style='font-size:2px'>INJECT</p>", False),
    Case("small print", "<p style='font-size:8px'>INJECT</p>", True),
    Case("transparent colour", "<p style='color:transparent'>INJECT</p>", False),
    Case("nearly white on white", "<p style='color:#fdfdfd'>INJECT</p>", False),
    Case("white on the page itself", "<p style='color:#fff'>INJECT</p>", False),
    Case(
        "colour of a parent's ground",
        "<div style='background:#123'><p style='color:#123'>INJECT</p></div>",
        False,
    ),
    Case(
        "white on a dark ground", "<div style='background:#123'><p style='color:#fff'>INJECT</p></div>", True
    ),
    Case(
        "white on a gradient of white",
        "<p style='color:#fff;background:linear-gradient(#fff,#fff)'>INJECT</p>",
        False,
    ),
    Case(
        "white on a gradient", "<p style='color:#fff;background:linear-gradient(#000,#333)'>INJECT</p>", True
    ),
    Case(
        "text filled with a gradient",
        "<p style='color:transparent;background:linear-gradient(red,blue);background-clip:text'>INJECT</p>",
        True,
    ),
    Case(
        "white on a picture beside it",
        "<div style='position:relative;height:50px'><div style='position:absolute;inset:0;background:#036'></div>"
        "<p style='position:relative;color:#fff'>INJECT</p></div>",
        True,
    ),
    Case("white svg text", "<svg width=99 height=30><text y=20 fill='#fff'>INJECT</text></svg>", False),
    Case("black svg text", "<svg width=99 height=30 color='#fff'><text y=20>INJECT</text></svg>", True),
    Case("clip path of nothing", "<p style='clip-path:inset(50%)'>INJECT</p>", False),
    Case("clip path circle of nothing", "<p style='clip-path:circle(0)'>INJECT</p>", False),
    Case("clip path polygon of a point", "<p style='clip-path:polygon(0 0,0 0,0 0)'>INJECT</p>", False),
    Case("clip path of a part", "<p style='clip-path:inset(10%)'>INJECT</p>", True),
    Case("above the page", "<p style='position:absolute;top:-9999px'>INJECT</p>", False),
    Case("far to the right", "<p style='position:absolute;left:9999px'>INJECT</p>", False),
    Case("moved away by a transform", "<p style='transform:translateX(-9999px)'>INJECT</p>", False),
    Case("moved away by a margin", "<p style='margin-left:-9999px;width:200px'>INJECT</p>", False),
    Case("below the fold", "<div style='height:5000px'></div><p>INJECT</p>", True),
    Case(
        "inside a scroller",
        "<div style='height:40px;overflow:auto'><div style='height:900px'></div><p>INJECT</p></div>",
        True,
    ),
    Case(
        "left of a scroller's start",
        "<div style='height:40px;overflow:auto;position:relative'><p style='position:absolute;left:-999px'>INJECT</p></div>",
        False,
    ),
    Case(
        "pushed out of a box that hides its overflow",
        "<div style='height:30px;overflow:hidden'><div style='height:90px'></div><p>INJECT</p></div>",
        False,
    ),
    Case(
        "absolute, and so not clipped by a box that is not its container",
        "<div style='height:1px;overflow:hidden'><p style='position:absolute'>INJECT</p></div>",
        True,
    ),
    Case("width 0", "<div style='width:0;overflow:hidden;white-space:nowrap'>INJECT</div>", False),
    Case("max-height 0", "<div style='max-height:0;overflow:hidden'>INJECT</div>", False),
    Case("one line of many", "<div style='height:20px;overflow:hidden'>INJECT<br>more<br>more</div>", True),
    Case("hidden attribute", "<p hidden>INJECT</p>", False),
    Case("hidden until found", "<p hidden=until-found>INJECT</p>", False),
    Case(
        "shown child of a hidden parent",
        "<p style='visibility:hidden'><b style='visibility:visible'>INJECT</b></p>",
        True,
    ),
    Case("visibility collapse", "<p style='visibility:collapse'>INJECT</p>", False),
    Case("noscript", "<noscript>INJECT</noscript>", False),
    Case("title attribute", "<p title='INJECT'>x</p>", False),
    Case("title of a button with words", "<button title='INJECT'>Save</button>", False),
    Case("hidden input", "<input type=hidden value='INJECT'>", False),
    Case("value of a field", "<input value='INJECT'>", True),
    Case("transparent field", "<input style='opacity:0' value='INJECT'>", False),
    Case("closed dialog", "<dialog>INJECT</dialog>", False),
    Case("open dialog", "<dialog open>INJECT</dialog>", True),
    Case("closed popover", "<div popover>INJECT</div>", False),
    Case("data list", "<input list=d><datalist id=d><option>INJECT</datalist>", False),
    Case("fallback of a canvas", "<canvas>INJECT</canvas>", False),
    Case("frame of no size", "<iframe width=0 height=0 srcdoc='INJECT'></iframe>", False),
    Case("hidden frame", "<iframe style='display:none' srcdoc='INJECT'></iframe>", False),
    Case("transparent frame", "<iframe style='opacity:0' srcdoc='INJECT'></iframe>", False),
    Case("frame", "<iframe srcdoc='INJECT'></iframe>", True),
    Case(
        "under an opaque box",
        "<div style='position:relative'><p>INJECT</p><div style='position:absolute;inset:0;background:#fff'></div></div>",
        False,
    ),
    Case(
        "over an opaque box",
        "<div style='position:relative'><div style='position:absolute;inset:0;background:#eee'></div>"
        "<p style='position:relative'>INJECT</p></div>",
        True,
    ),
    Case(
        "behind its parent",
        "<div style='background:#eee;position:relative'><p style='position:relative;z-index:-1'>INJECT</p></div>",
        False,
    ),
    Case(
        "light children of a root without a slot",
        "<div id=a>INJECT</div><script>a.attachShadow({mode:'open'}).innerHTML='x'</script>",
        False,
    ),
    Case(
        "the same, closed",
        "<div id=a>INJECT</div><script>a.attachShadow({mode:'closed'}).innerHTML='x'</script>",
        False,
    ),
    Case(
        "slotted",
        "<div id=a>INJECT</div><script>a.attachShadow({mode:'closed'}).innerHTML='<slot></slot>'</script>",
        True,
    ),
    Case("empty picture with words", "<img src='data:,' alt='INJECT'>", False),
    Case("unreadable words in a link", "<a href=/x>Go <span style='font-size:1px'>INJECT</span></a>", False),
    Case(
        "words for screen readers in a heading",
        "<h2>News<span style='position:absolute;clip:rect(0,0,0,0)'>INJECT</span></h2>",
        False,
    ),
]

SVG = "<svg width=200 height=40>{}</svg>"
FILTERED = [
    Case("svg fill none", SVG.format("<text y=20 fill=none>INJECT</text>"), False),
    Case("svg fill none in css", SVG.format("<text y=20 style='fill:none'>INJECT</text>"), False),
    Case("svg fill opacity 0", SVG.format("<text y=20 fill-opacity=0>INJECT</text>"), False),
    Case("svg fill of a transparent colour", SVG.format("<text y=20 fill='#0000'>INJECT</text>"), False),
    Case("svg outlined text", SVG.format("<text y=20 fill=none stroke=black>INJECT</text>"), True),
    Case("svg stroke none", SVG.format("<text y=20 fill=none stroke=none>INJECT</text>"), False),
    Case(
        "svg stroke of no width",
        SVG.format("<text y=20 fill=none stroke=black stroke-width=0>INJECT</text>"),
        False,
    ),
    Case("svg opacity 0", SVG.format("<text y=20 opacity=0>INJECT</text>"), False),
    Case("svg group of opacity 0", SVG.format("<g opacity=0><text y=20>INJECT</text></g>"), False),
    Case("svg span of fill none", SVG.format("<text y=20>a<tspan fill=none>INJECT</tspan></text>"), False),
    Case("svg defs", SVG.format("<defs><text y=20>INJECT</text></defs>"), False),
    Case("svg symbol", SVG.format("<symbol><text y=20>INJECT</text></symbol>"), False),
    Case("svg clip path", SVG.format("<clipPath id=c><text y=20>INJECT</text></clipPath>"), False),
    Case("svg mask content", SVG.format("<mask id=m><text y=20>INJECT</text></mask>"), False),
    Case("svg pattern", SVG.format("<pattern><text y=20>INJECT</text></pattern>"), False),
    Case("svg marker", SVG.format("<marker><text y=20>INJECT</text></marker>"), False),
    Case(
        "svg definition in use",
        SVG.format("<defs><text id=t y=20>INJECT</text></defs><use href='#t'/>"),
        True,
    ),
    Case("svg title and text", SVG.format("<text y=20>INJECT</text>"), True),
    Case(
        "svg gradient fill",
        SVG.format(
            "<linearGradient id=g><stop stop-color=red /></linearGradient><text y=20 fill='url(#g)'>INJECT</text>"
        ),
        True,
    ),
    Case(
        "svg transparent gradient fill",
        SVG.format(
            "<linearGradient id=g><stop stop-opacity=0 /></linearGradient><text y=20 fill='url(#g)'>INJECT</text>"
        ),
        False,
    ),
    Case(
        "mask of nothing", "<p style='mask-image:linear-gradient(transparent,transparent)'>INJECT</p>", False
    ),
    Case("old mask of nothing", "<p style='-webkit-mask:linear-gradient(#0000,#0000)'>INJECT</p>", False),
    Case(
        "mask on an ancestor",
        "<div style='mask-image:linear-gradient(transparent,transparent)'><p>INJECT</p></div>",
        False,
    ),
    Case("mask that fades", "<p style='mask-image:linear-gradient(black,transparent)'>INJECT</p>", True),
    Case(
        "mask of no size",
        "<p style='mask:linear-gradient(black,black) 0 0/0 0 no-repeat'>INJECT</p>",
        False,
    ),
    Case("blur that nobody can read", "<p style='filter:blur(20px)'>INJECT</p>", False),
    Case("blur on an ancestor", "<div style='filter:blur(1em)'><p>INJECT</p></div>", False),
    Case("slight blur", "<p style='filter:blur(.5px)'>INJECT</p>", True),
    Case(
        "svg filter that clears",
        "<svg width=0 height=0><filter id=f><feColorMatrix values='1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 0'/></filter></svg>"
        "<p style='filter:url(#f)'>INJECT</p>",
        False,
    ),
    Case(
        "svg filter that blurs",
        "<svg width=0 height=0><filter id=f><feGaussianBlur stdDeviation=20 /></filter></svg>"
        "<p style='filter:url(#f)'>INJECT</p>",
        False,
    ),
    Case(
        "svg filter that colours",
        "<svg width=0 height=0><filter id=f><feColorMatrix type=saturate values=.1 /></filter></svg>"
        "<p style='filter:url(#f)'>INJECT</p>",
        True,
    ),
    Case(
        "background clipped to text, but none",
        "<p style='color:transparent;background-clip:text'>INJECT</p>",
        False,
    ),
    Case(
        "transparent shadow", "<p style='color:transparent;text-shadow:1px 1px transparent'>INJECT</p>", False
    ),
    Case(
        "shadow of a transparent text", "<p style='color:transparent;text-shadow:0 0 #000'>INJECT</p>", True
    ),
    Case("opacity among other filters", "<p style='filter:saturate(2) opacity(2%)'>INJECT</p>", False),
    Case(
        "brightness 0 on a background",
        "<div style='background:#fff;filter:brightness(0)'><p>INJECT</p></div>",
        False,
    ),
    Case("brightness 0 without one", "<p style='color:#999;filter:brightness(0)'>INJECT</p>", True),
    Case(
        "white text made black on black",
        "<div style='background:#000'><p style='color:#fff;filter:brightness(0)'>INJECT</p></div>",
        False,
    ),
    Case(
        "contrast 0 on a background",
        "<div style='background:#fff;filter:contrast(0)'><p>INJECT</p></div>",
        False,
    ),
    Case(
        "a bright background",
        "<div style='background:#444;color:#888;filter:brightness(100)'><p>INJECT</p></div>",
        False,
    ),
    Case("grey scale", "<div style='background:#fff;filter:grayscale(1)'><p>INJECT</p></div>", True),
    Case("dimmed", "<div style='background:#fff;filter:brightness(.6)'><p>INJECT</p></div>", True),
    Case(
        "behind frosted glass",
        "<div style='position:relative'><p>INJECT</p>"
        "<div style='position:absolute;inset:0;backdrop-filter:blur(30px)'></div></div>",
        False,
    ),
    *(
        Case(
            f"pseudo-element with {style}",
            f"<style>.q::before{{content:'INJECT';{style}}}</style><p class=q>z</p>",
            False,
        )
        for style in (
            "opacity:0",
            "color:transparent",
            "color:#fff",
            "font-size:0",
            "font-size:1px",
            "visibility:hidden",
            "display:none",
            "filter:opacity(0)",
            "filter:blur(30px)",
            "position:absolute;left:-9999px",
            "position:absolute;clip-path:inset(50%)",
            "display:block;transform:scale(0)",
            "display:block;text-indent:-9999px;overflow:hidden",
            "display:block;width:0;height:0;overflow:hidden",
            "mask-image:linear-gradient(transparent,transparent)",
        )
    ),
    Case(
        "white pseudo-element on a dark ground",
        "<style>.q::after{content:'INJECT';color:#fff;background:#036}</style><p class=q>z</p>",
        True,
    ),
    Case(
        "pseudo-element of a white text",
        "<style>.q::after{content:'INJECT'}</style><p class=q style='color:#fff'>z</p>",
        False,
    ),
    Case(
        "frame under an opaque box",
        "<div style='position:relative'><iframe srcdoc='INJECT'></iframe>"
        "<div style='position:absolute;inset:0;background:#fff'></div></div>",
        False,
    ),
    Case(
        "frame beside an opaque box",
        "<div style='position:relative'><iframe srcdoc='INJECT'></iframe>"
        "<div style='position:absolute;top:0;right:0;width:50px;height:50px;background:#fff'></div></div>",
        True,
    ),
    Case(
        "frame over an opaque box",
        "<div style='position:relative'><div style='position:absolute;inset:0;background:#eee'></div>"
        "<iframe style='position:relative' srcdoc='INJECT'></iframe></div>",
        True,
    ),
    Case("blurred frame", "<iframe style='filter:blur(30px)' srcdoc='INJECT'></iframe>", False),
    Case(
        "masked frame",
        "<iframe style='mask-image:linear-gradient(#0000,#0000)' srcdoc='INJECT'></iframe>",
        False,
    ),
    Case("blurred value of a field", "<input style='filter:blur(30px)' value='INJECT'>", False),
    Case("blurred button", "<button style='filter:blur(30px)'>INJECT</button>", False),
]


@pytest.mark.parametrize("cases", [GIVEN, OWN, FILTERED], ids=["given", "own", "filtered"])
async def test_a_snapshot_holds_exactly_the_visible_text(tab: Tab, web: Web, cases: list[Case]) -> None:
    assert [case.technique for case in cases if not await _is_right(tab, web, case)] == []


async def _is_right(tab: Tab, web: Web, case: Case) -> bool:
    await tab.goto(web.page(f"<p>first</p>{case.html}<p>last</p>"))
    snapshot = await tab.snapshot()
    texts = (str(snapshot), snapshot.render(compact=False))
    return all(("INJECT" in text) is case.seen and '"first"' in text and '"last"' in text for text in texts)


async def test_hidden_text_is_counted_and_never_shown(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<p>Shown</p><p style='opacity:0'>secret</p><div hidden>more <b>secrets</b></div>")
    )
    assert str(await tab.snapshot()) == "\n".join(
        [f"[Snapshot of {web.url[7:]}]", '- "Shown"', "[Left out: 2 hidden texts (18 characters)]"]
    )


async def test_a_label_for_screen_readers_names_its_control(tab: Tab, web: Web) -> None:
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)"
    await tab.goto(
        web.page(f"<label style='{hidden}' for=q>Search the shop</label><input id=q placeholder=Search>")
    )
    assert str(await tab.snapshot()).splitlines()[1:2] == [
        '- @e1: textbox "Search the shop" (placeholder: "Search")'
    ]


async def test_an_aria_label_replaces_a_symbol_but_not_words(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            "<button aria-label='Close'>&times;</button><button aria-label='Close'>X</button>"
            "<button aria-label='Send money to Mallory'>Cancel</button>"
            "<button aria-label='Add blue shirt to cart'>Add to cart</button>"
            "<button aria-label='Notifications'>3</button>"
        )
    )
    assert [node.name for node in (await tab.snapshot()).walk() if node.role == "button"] == [
        "Close",
        "Close",
        "Cancel",
        "Add blue shirt to cart",
        "Notifications",
    ]
