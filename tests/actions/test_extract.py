"""Harvesting pages that load more on scrolling."""

import orjson

from tabwright.actions.extract import Harvested
from tests.calls import Do
from tests.web import Response, Web

# A feed that loads ten more rows at the bottom, four times, and drops rows far above.
FEED = """
<title>feed</title><style>li { height: 90px }</style><ul aria-label=Feed></ul>
<script>
  const list = document.querySelector("ul");
  let next = 0, asking = false, above = 0;
  async function more() {
    if (asking || next >= 40) return;
    asking = true;
    for (const name of await (await fetch(`/items?${next}`)).json()) {
      const item = document.createElement("li");
      item.textContent = name;
      list.append(item);
    }
    next += 10;
    while (list.children.length > 20) { list.firstChild.remove(); list.style.paddingTop = `${above += 90}px` }
    asking = false;
  }
  addEventListener("scroll", () => { if (scrollY + innerHeight > document.body.scrollHeight - 200) more() });
  more();
</script>
"""


def serve(web: Web) -> str:
    def items(request: object) -> Response:
        start = int(getattr(request, "query", "0"))
        names = ", ".join(f'"item {start + number}"' for number in range(10))
        return Response(f"[{names}]", headers={"content-type": "application/json"})

    web.route("/items", items)
    return web.page(FEED)


async def test_harvest_collects_a_feed_that_drops_earlier_rows(do: Do, web: Web) -> None:
    await do("navigate", url=serve(web), wait_until="networkidle")
    answer = await do("harvest", max_tokens=5_000)
    assert isinstance(answer.result, Harvested)
    assert [row["text"] for row in answer.result.rows] == [f"item {number}" for number in range(40)]
    assert (answer.result.name, answer.result.end) == ("Feed", "the end of the page")


async def test_harvest_stops_at_the_maximum(do: Do, web: Web) -> None:
    await do("navigate", url=serve(web), wait_until="networkidle")
    answer = await do("harvest", most=12, format="csv")
    assert answer.text.splitlines() == ["text", *(f"item {number}" for number in range(12))]
    assert isinstance(answer.result, Harvested)
    assert answer.result.end == "enough rows"


async def test_extract_and_read_take_any_target(do: Do, web: Web) -> None:
    page = """<table><tr><th>Name<tr><td>Eve</table><section id=part><h2>Prices</h2>
    <table><tr><th>Item<th>Price<tr><td>Tea<td>2</table></section>"""
    await do("navigate", url=web.page(page))
    for target in ("#part", "text=Prices >> xpath=.."):
        assert (await do("extract", target=target)).text == '[{"Item":"Tea","Price":"2"}]'
        assert "Prices" in (await do("read", target=target)).text
        assert "Eve" not in (await do("read", target=target)).text


CARDS = """<style>.sr { position: absolute; left: -9999px }</style><h1>Shop</h1><div class=grid>
<div class="card"><img src=/mug.svg alt="" width=40 height=40><h3><a href=/mug>Blue Mug</a></h3><span class="card__price">$12.50</span>
  <p>Holds tea.</p><button>Add to cart</button></div>
<div class="card sale"><img src=/cup.svg alt="A cup" width=40 height=40><h3><a href=/cup>Red Cup</a></h3>
  <p>Holds coffee.</p><span class=sr>secret</span><button>Add to cart</button></div>
<div class="card"><h3><a href=/jug>Jug</a></h3><span class="card__price">$30</span></div></div>"""


async def test_cards_become_records_with_keys_by_meaning(do: Do, web: Web) -> None:
    picture = Response('<svg xmlns="http://www.w3.org/2000/svg"/>', headers={"content-type": "image/svg+xml"})
    for name in ("mug", "cup"):
        web.route(f"/{name}.svg", lambda _: picture)
    await do("navigate", url=web.page(CARDS), wait_until="networkidle")
    answer = await do("extract")
    assert orjson.loads(answer.text) == [
        {
            "title": "Blue Mug",
            "link": f"{web.url}/mug",
            "image": f"{web.url}/mug.svg",
            "price": "$12.50",
            "text": "Holds tea. Add to cart",
        },
        {
            "title": "Red Cup",
            "link": f"{web.url}/cup",
            "image": f"{web.url}/cup.svg",
            "text": "Holds coffee. Add to cart",
        },
        {"title": "Jug", "link": f"{web.url}/jug", "price": "$30"},
    ]


async def test_rows_of_cards_are_one_list(do: Do, web: Web) -> None:
    card = "<div class=col><a href=/{0}><img src=/{0}.png alt=''></a><a href=/{0}>Part {0}</a> {0} €</div>"
    grid = "".join(
        f"<div class=row>{card.format(number)}{card.format(number + 1)}</div>" for number in (1, 3, 5)
    )
    await do("navigate", url=web.page(f"<nav><div><a href=/x>x</a></div></nav><main>{grid}</main>"))
    assert [(row["title"], row["price"]) for row in orjson.loads((await do("extract")).text)] == [
        (f"Part {number}", f"{number} €") for number in range(1, 7)
    ]


async def test_microdata_names_the_fields_of_cards(do: Do, web: Web) -> None:
    job = """<a class=job href=/{0}><div itemprop=title>Job {0}</div><div itemprop=hiringOrganization>Co {0}</div>
      <time>{0} May</time><div class=job-location>Town {0}</div><img src=/logo.png alt=Logo></a>"""
    await do("navigate", url=web.page(f"<section>{job.format(1)}{job.format(2)}</section>"))
    assert orjson.loads((await do("extract")).text) == [
        {
            "title": f"Job {number}",
            "link": f"{web.url}/{number}",
            "image": f"{web.url}/logo.png",
            "hiringorganization": f"Co {number}",
            "date": f"{number} May",
            "location": f"Town {number}",
        }
        for number in (1, 2)
    ]


async def test_items_of_a_plain_list_keep_their_whole_text(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<ul><li>one<li>see <a href=/two>two</a> first<li>three</ul>"))
    assert orjson.loads((await do("extract")).text) == [
        {"text": "one"},
        {"title": "two", "link": f"{web.url}/two", "text": "see two first"},
        {"text": "three"},
    ]


async def test_a_menu_comes_after_the_lists_of_the_page(do: Do, web: Web) -> None:
    menu = "".join(f"<li><a href=/{number}>menu {number}</a>" for number in range(9))
    await do("navigate", url=web.page(f"<nav><ul>{menu}</ul></nav><ul><li>one<li>two</ul>"))
    answer = await do("extract")
    assert orjson.loads(answer.text) == [{"text": "one"}, {"text": "two"}]
    assert answer.result.model_dump()["others"] == ["1: list '', 2 rows", "2: list '', 9 rows"]


async def test_a_link_around_a_whole_card_hides_no_field(do: Do, web: Web) -> None:
    card = """<li class=product><a href=/{0}><h2>Item {0}</h2><span class=price><bdi><i>$</i>1{0}.00</bdi></span></a>
      <a class=button href=/add>Add to cart</a>"""
    await do("navigate", url=web.page(f"<ul>{card.format(1)}{card.format(2)}</ul>"))
    assert orjson.loads((await do("extract")).text) == [
        {
            "title": f"Item {number}",
            "link": f"{web.url}/{number}",
            "price": f"$1{number}.00",
            "text": "Add to cart",
        }
        for number in (1, 2)
    ]
