"""The pages of the benchmark: deterministic HTML of different sizes and kinds, without external resources.

Every page starts with the same button and text field, so that clicks and fills can be compared between pages,
and ends with the same text, so that a truncated snapshot is noticed.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

BUTTON = "Bench button"
FIELD = "Bench field"
END = "Bench end"
PUT = "Put into basket"
HANG = "Never end"

# The server replaces this with the address of another site.
OTHER_SITE = "{{other-site}}"

_WORDS = (
    *("amber", "anchor", "basin", "bridge", "cedar", "copper", "delta", "dune", "echo", "ember", "fjord"),
    *("forest", "glacier", "grove", "harbor", "island", "juniper", "kettle", "lantern", "meadow", "north"),
    *("orchard", "pebble", "quarry", "river", "saddle", "timber", "umbra", "valley", "willow", "yarrow"),
)

_PROBE = f"""<form onsubmit="return false">
<button type="button" onclick="window.clicks = (window.clicks || 0) + 1">{BUTTON}</button>
<input id="field" aria-label="{FIELD}">
</form>"""


def article() -> str:
    """Prose with headings, links and emphasis."""
    text = _Text(1)
    sections = (
        f"<section><h2>{text.title()}</h2>{''.join(text.paragraph() for _ in range(5))}</section>"
        for _ in range(20)
    )
    return _page("Article", f"<main><article><h1>{text.title()}</h1>{''.join(sections)}</article></main>")


def links() -> str:
    """A directory of links."""
    text = _Text(2)
    items = (f'<li><a href="/article#{n}">{text.title()}</a></li>' for n in range(600))
    return _page("Links", f"<nav aria-label='Directory'><ul>{''.join(items)}</ul></nav>")


def form() -> str:
    """Form controls of every kind, labelled in every usual way."""
    text = _Text(3)
    kinds = ("text", "email", "number", "date", "time", "color", "range", "checkbox", "radio", "password")
    groups = []
    for group in range(12):
        fields = [
            f'<p><label for="{kind}-{group}">{text.title()}</label>'
            f'<input id="{kind}-{group}" name="group-{group}" type="{kind}"></p>'
            for kind in kinds
        ]
        options = "".join(f"<option>{text.word()}</option>" for _ in range(8))
        fields.append(f"<label>{text.title()} <select>{options}</select></label>")
        fields.append(f"<textarea aria-label='{text.title()}' placeholder='{text.word()}'></textarea>")
        groups.append(f"<fieldset><legend>{text.title()}</legend>{''.join(fields)}</fieldset>")
    return _page("Form", f"<form>{''.join(groups)}<button>Send</button></form>")


def table() -> str:
    """A table of 2,000 rows."""
    text = _Text(4)
    head = "".join(f"<th scope='col'>{name}</th>" for name in ("Number", "Name", "Place", "Amount", "Open"))
    rows = (
        f"<tr><td>{n}</td><td>{text.title()}</td><td>{text.word()}</td>"
        f"<td>{n * 37 % 1000}</td><td><a href='#{n}'>open</a></td></tr>"
        for n in range(2000)
    )
    return _page(
        "Table",
        f"<table><caption>Orders</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>",
    )


def products() -> str:
    """A shop's grid of cards."""
    style = "display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px"
    return _page("Products", f"<div style='{style}'>{''.join(islice(_cards(_Text(5)), 240))}</div>")


def divs() -> str:
    """10,000 divs, nested as frameworks nest them."""
    text = _Text(6)
    return _page("Divs", "".join(_nest(text, depth=9) for _ in range(1000)))


def app() -> str:
    """A page built by script out of components with shadow roots."""
    text = _Text(7)
    rows = json.dumps([(text.title(), text.sentence()) for _ in range(300)])
    script = (Path(__file__).parent / "task_list.js").read_text()
    return _page(
        "App",
        "<header role='banner'>Tasks</header><main id='list' role='list'></main>"
        f"<script id='rows' type='application/json'>{rows}</script><script>{script}</script>",
    )


def svg() -> str:
    """Charts: many shapes, few of them named."""
    text = _Text(8)
    charts = (
        f"<figure><svg width='200' height='80' role='img' aria-label='{text.title()}'>{_bars(text)}</svg>"
        f"<figcaption>{text.sentence()}</figcaption></figure>"
        for _ in range(60)
    )
    return _page("Charts", "".join(charts))


def deep() -> str:
    """Chains 40 levels deep, with text at every level; Playwright's snapshot times out at some 60 levels."""
    text = _Text(9)
    time_opening = "".join(f"<div><span>{text.word()}</span>" for _ in range(40))
    return _page("Deep", f"{time_opening}<a href='#'>the bottom</a>{'</div>' * 40}" * 20)


def frames() -> str:
    """Frames of the same site and of another."""
    places = ["/article", "/links", "/form", f"{OTHER_SITE}/article", f"{OTHER_SITE}/form"]
    return _page(
        "Frames",
        "".join(
            f"<iframe title='{place}' src='{place}' width='600' height='300'></iframe>" for place in places
        ),
    )


def huge() -> str:
    """50,000 elements of mixed kind."""
    return grow(50_000)


def hang() -> str:
    """A page with a button that blocks it for ever."""
    return f"<!doctype html><title>Hang</title><button onclick='for (;;) {{}}'>{HANG}</button>"


def basket() -> str:
    """A shop's grid whose button adds one item to the basket: for whole steps of an agent."""
    put = (
        f"""<button onclick="basket.textContent = 'Basket: ' + ++window.things + ' things'">{PUT}</button>"""
    )
    cards = "".join(islice(_cards(_Text(10)), 120))
    return _page(
        "Basket", f"<script>things = 0</script>{put}<p id='basket' role='status'>Basket: empty</p>{cards}"
    )


def booking() -> str:
    """An airline's page, with the usual menus and offers around its form."""
    text = _Text(11)
    page = (Path(__file__).parents[1] / "tests/pages/airline_search/page.html").read_text()
    menus = "".join(f"<a href='#{text.word()}'>{text.title()}</a>" for _ in range(90))
    offers = "".join(islice(_cards(text), 48))
    return page.replace("</nav>", f"{menus}</nav>", 1).replace("</main>", f"{offers}</main>", 1)


def grow(size: int) -> str:
    """Mixed content of about `size` elements; larger pages have more of the same content."""
    cards = max(1, (size - 10) // _CARD_SIZE)
    return _page(f"{size} elements", f"<main>{''.join(islice(_cards(_Text(size)), cards))}</main>")


PAGES: dict[str, Callable[[], str]] = {
    page.__name__: page
    for page in (article, links, form, table, products, divs, app, svg, deep, frames, huge)
}


class _Text:
    """Repeatable words."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def word(self) -> str:
        return self._random.choice(_WORDS)

    def title(self) -> str:
        return " ".join(self._random.choices(_WORDS, k=3)).capitalize()

    def sentence(self) -> str:
        return " ".join(self._random.choices(_WORDS, k=12)).capitalize() + "."

    def paragraph(self) -> str:
        words = f"{self.sentence()} <em>{self.word()}</em> {self.sentence()}"
        return f"<p>{words} <a href='#{self.word()}'>{self.title()}</a> {self.sentence()}</p>"


_CARD_SIZE = 8


def _cards(text: _Text) -> Iterator[str]:
    """Endless product cards of `_CARD_SIZE` elements each."""
    while True:
        name = text.title()
        yield (
            f"<div><article class='card'><h3><a href='#{text.word()}'>{name}</a></h3><p>{text.sentence()}</p>"
            f"<span role='img' aria-label='4 of 5 stars'></span><b>{len(name)}.00</b>"
            f"<button>Add {name}</button></article></div>"
        )


def _nest(text: _Text, *, depth: int) -> str:
    return "<div>" * depth + f"<div>{text.word()}</div>" + "</div>" * depth


def _bars(text: _Text) -> str:
    return "".join(f"<rect x='{3 * n}' y='{len(text.title())}' width='2' height='40'/>" for n in range(60))


def _page(title: str, body: str) -> str:
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{title}</title>"
    return f"{head}<body>{_PROBE}{body}<p>{END}</p></body></html>"
