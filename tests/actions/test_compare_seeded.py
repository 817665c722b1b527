"""One seeded change of one element, on five kinds of pages: `compare` reports that change and nothing else."""

import json
import random

import pytest

from tabwright.actions.compare import Comparison
from tests.calls import Do
from tests.web import Web

ROWS = range(1, 9)
PAGES = {
    "article": "<article><h1>Rain</h1>"
    + "".join(
        f"<p>Paragraph {row} has <b>bold {row}</b> and <a href=/{row}>link {row}</a>.</p>" for row in ROWS
    )
    + "</article>",
    "form": "<form>"
    + "".join(
        f"<div><label for=f{row}>Field {row}</label><input id=f{row} value={row}></div>" for row in ROWS
    )
    + "<button>Send</button></form>",
    "table": "<table><thead><tr><th>Name<th>Price</thead><tbody>"
    + "".join(f"<tr><td>Item {row}<td><b>{row}.50</b>" for row in ROWS)
    + "</table>",
    "cards": "<style>main { display: flex; flex-wrap: wrap; gap: 1em } section { width: 30%; text-align: center }"
    "</style><main>"
    + "".join(
        f"<section><h2>Card {row}</h2><p>Text {row}</p><button>Buy {row}</button></section>" for row in ROWS
    )
    + "</main>",
    "components": "<script>customElements.define('x-card', class extends HTMLElement { constructor() {"
    "super(); this.attachShadow({mode: 'open'}).innerHTML = '<slot></slot><h3>A card</h3>' } })</script><ul>"
    + "".join(f"<li><x-card><span>Inside {row}</span></x-card></li>" for row in ROWS)
    + "</ul>",
}
KINDS = ("added", "removed", "changed", "moved", "restyled")
# Changes one element and returns the text by which the report must name it.
MUTATE = """
const [kind, roll, word] = %s;
const shown = [...document.body.querySelectorAll('*')].filter(element => element.checkVisibility());
const texts = shown.filter(element => !element.firstElementChild && element.textContent.trim());
const pick = list => list[Math.floor(roll * list.length)];
const textOf = element => element.textContent.trim();
const chosen = pick(texts);
const text = textOf(chosen);
if (kind === 'changed') chosen.textContent = word;
if (kind === 'removed') chosen.remove();
if (kind === 'restyled') chosen.style.backgroundColor = 'rgb(1, 2, 3)';
if (kind === 'added') {
  const added = chosen.cloneNode();
  added.textContent = word;
  chosen.after(added);
}
if (kind === 'moved') {
  const list = pick(shown.filter(element => element.children.length >= 3));
  const first = list.firstElementChild;
  list.append(first);
  return textOf(first.querySelector(':not(:has(*))') ?? first);
}
return kind === 'changed' || kind === 'added' ? word : text;
"""


@pytest.mark.parametrize("page", PAGES)
async def test_one_change_is_one_difference(do: Do, web: Web, page: str, pytestconfig: pytest.Config) -> None:
    wrong = []
    for seed in range(40 if pytestconfig.getoption("--whole-sweep") else 5):
        kind, roll = KINDS[seed % len(KINDS)], random.Random(f"{page} {seed}").random()
        await do("navigate", url=web.page(PAGES[page]))
        await do("mark_page")
        named = (await do("evaluate", script=MUTATE % json.dumps([kind, roll, f"Zebra {seed}"]))).text
        answer = await do("compare")
        assert isinstance(answer.result, Comparison)
        if answer.result.counts != {kind: 1} or named.splitlines()[0] not in answer.result.differences[0]:
            wrong.append((seed, kind, named, answer.text))
    assert wrong == []
