"""Page tools through the actions: a bounded list, calls that are observed, files of the caller only."""

import re
from pathlib import Path

import pytest

from tabwright.errors import Denied
from tests.calls import Do
from tests.web import Web

MANY = "".join(f"<button>Act number {n}</button><p>" for n in "abcdefghi") + "".join(
    f"<form><label>Field {n} <input name=f{n}></label><button>Send part {n}</button></form><hr><h2>{n}</h2>"
    for n in "abcdefghijklmnop"
)


async def test_tools_are_listed_one_per_line_and_the_rest_on_request(do: Do, web: Web) -> None:
    page = """<h1>Shop</h1><form role=search><input aria-label="Search products" name=q required><button>Go</button></form>
    <label>Sort by <select><option>New<option>Cheap</select></label>"""
    await do("navigate", url=web.page(page))
    answer = await do("list_page_tools")
    assert answer.head == "2 tools, run by call_page_tool:"
    assert answer.page == (
        "search_products(query: string) — Search. From the page: “Shop; Go”\n"
        "set_sort_by(sort_by: New|Cheap = New) — Set a control of the page. From the page: “Sort by”"
    )
    await do("navigate", url=web.page(MANY))
    short = (await do("list_page_tools")).result.model_dump()
    assert (len(short["tools"]), short["left"]) == (12, 13)
    whole = (await do("list_page_tools", more=True)).result.model_dump()
    assert (len(whole["tools"]), whole["left"]) == (25, 0)


async def test_the_answer_to_a_call_reports_only_what_changed(do: Do, web: Web) -> None:
    page = """<h1>Letters</h1><p id=greeting>Nobody yet</p><ul><li>One<li>Two</ul>
    <form onsubmit="greeting.textContent = 'Welcome'; return false">
      <label>Email <input></label><button>Subscribe</button></form>"""
    await do("navigate", url=web.page(page))
    await do("list_page_tools")
    answer = await do("call_page_tool", name="subscribe", arguments={"email": "a@b.example"})
    assert answer.head == "Filled in email and pressed “Subscribe”."
    changes = answer.page.splitlines()
    assert changes[0].endswith('textbox "Email" = "a@b.example"')
    assert changes[1] == '~ "Welcome"'
    assert changes[2:] == []


async def test_files_are_uploaded_from_the_callers_folder_only(do: Do, web: Web, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    page = """<form onsubmit="document.title = this.f.files[0].name; return false">
      <label>Document <input type=file name=f></label><button>Upload it</button></form>"""
    await do("navigate", url=web.page(page))
    with pytest.raises(Denied, match=r"Could not set document: /etc/passwd is outside"):
        await do("call_page_tool", name="upload_it", arguments={"document": "/etc/passwd"})
    await do("call_page_tool", name="upload_it", arguments={"document": "mine.txt"})
    assert (await do("evaluate", script="document.title")).result.model_dump()["value"] == "mine.txt"


FLIGHTS = """<h1>Flights</h1><form role=search onsubmit="find(); return false">
  <label>To <input name=to required></label><button>Search flights</button></form>
<section id=out aria-live=polite></section><script>
  const find = () => setTimeout(() => {
    const rows = ["06:40", "11:15", "19:05"].map(time => `<li>Berlin to Lisbon at ${time} <button onclick="picked.textContent = 'Booked'">Book</button></li>`);
    out.innerHTML = `<h2>Found</h2><ul>${rows.join("")}</ul><p id=picked></p>`;
  }, 20);
</script>"""


async def test_the_answer_to_a_call_names_new_tools(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(FLIGHTS))
    answer = await do("call_page_tool", name="search_flights", arguments={"query": "Lisbon"})
    # The live region of the page is the list itself, which is reported once.
    assert answer.page.splitlines()[:5] == [
        "Found: 3 items, the first:",
        "0. Berlin to Lisbon at 06:40 Book",
        "1. Berlin to Lisbon at 11:15 Book",
        "2. Berlin to Lisbon at 19:05 Book",
        "New page tools: book(index: integer 0..2)",
    ]
    booked = await do("call_page_tool", name="book", arguments={"index": 1})
    assert (booked.head, "New page tools" in booked.page) == ("Pressed “Book” of item 1.", False)
    assert '+ "Booked"' in booked.page.splitlines()


async def test_many_new_tools_of_the_next_page_are_listed_by_name(do: Do, web: Web) -> None:
    url = web.page(MANY, "/many")
    await do(
        "navigate",
        url=web.page("<form action=/many><label>Name <input></label><button>Go on</button></form>"),
    )
    answer = await do("call_page_tool", name="go_on", arguments={"name": "Ada"})
    reply = answer.page.splitlines()
    assert reply[0].startswith(f"Navigated to {url}")
    assert reply[1] == (
        "New page tools: send_part_a(field_a?: string), send_part_b(field_b?: string), "
        "send_part_c(field_c?: string), send_part_d(field_d?: string), send_part_e, "
        "send_part_f, 6 more"
    )
    assert len(reply) == 2


async def test_a_long_table_explains_how_to_read_its_other_rows(do: Do, web: Web) -> None:
    rows = "".join(f"<tr><td>{n}<td>Stop {n}</tr>" for n in range(1, 501))
    short = "<table><tr><th>Key<th>Meaning</tr><tr><td>x<td>runs</tr><tr><td>y<td>not</tr></table>"
    page = f"{short}<table><caption>Stops</caption><tr><th>No<th>Name</tr>{rows}</table>"
    await do("navigate", url=web.page(page))
    [tool] = [
        tool["name"]
        for tool in (await do("list_page_tools")).result.model_dump()["tools"]
        if "stops" in tool["name"]
    ]
    reply = (await do("call_page_tool", name=tool)).result.model_dump()
    assert reply["words"][-1] == "200 | Stop 200"
    found = re.fullmatch(
        r"500 rows\. These are the first 200; "
        r"for the rest: the action extract with target (@e\d+), kind table, start 200\.",
        reply["deed"],
    )
    assert found is not None, reply["deed"]
    rest = (await do("extract", target=found[1], kind="table", start=200)).result.model_dump()["rows"]
    assert (rest[0], rest[-1]) == ({"No": "201", "Name": "Stop 201"}, {"No": "500", "Name": "Stop 500"})
