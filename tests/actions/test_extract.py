"""Harvesting pages that load more on scrolling."""

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
