"""Running a tool does what a user would do on the page, and reports exactly what happened."""

from typing import Any
from urllib.parse import parse_qsl

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, NotFound, Stale
from tabwright.page_tools import Outcome, inventory_of
from tests.web import Request, Response, Web

EVERYTHING = """
<h1>Order</h1>
<form action="/sent" method="post">
  <label>Name <input name="name"></label>
  <label>Amount <input type="number" name="amount" step="0.5"></label>
  <label>Day <input type="date" name="day"></label>
  <label>Hour <input type="time" name="hour"></label>
  <label>Moment <input type="datetime-local" name="moment"></label>
  <label>Month <input type="month" name="month"></label>
  <label>Week <input type="week" name="week"></label>
  <label>Shade <input type="color" name="shade"></label>
  <label>Level <input type="range" name="level" min="0" max="10"></label>
  <label>Size <select name="size"><option value="s">Small<option value="l">Large</select></label>
  <label>Extras <select name="extra" multiple><option>Milk<option>Sugar<option>Lemon</select></label>
  <fieldset><legend>Paid by</legend><label><input type="radio" name="paid" value="c">Card</label>
    <label><input type="radio" name="paid" value="b">Bank</label></fieldset>
  <fieldset><legend>Topics</legend><label><input type="checkbox" name="topic" value="1" checked>News</label>
    <label><input type="checkbox" name="topic" value="2">Sport</label></fieldset>
  <label><input type="checkbox" name="terms"> I agree</label>
  <label>Notes <textarea name="notes"></textarea></label>
  <button>Place order</button>
</form>
"""


@pytest.fixture
def run(tab: Tab) -> Any:
    """Run a tool of the page and return its outcome."""

    async def run(tool: str, /, **arguments: Any) -> Outcome:
        return await inventory_of(tab).call(tool, arguments)

    return run


async def test_every_kind_of_field_can_be_set(tab: Tab, web: Web, run: Any) -> None:
    web.route("/sent", lambda _: Response("<title>Thanks</title>"))
    await tab.goto(web.page(EVERYTHING))
    outcome = await run(
        "place_order",
        name="Ada",
        amount=2.5,
        day="2027-01-09",
        hour="17:30",
        moment="2027-01-09T17:30",
        month="2027-02",
        week="2027-W03",
        shade="#00ff80",
        level=7,
        size="Large",
        extras=["Milk", "Lemon"],
        paid_by="Bank",
        topics=["Sport"],
        i_agree=True,
        notes="Two\nlines",
    )
    assert outcome.summary == (
        "Filled in name, amount, day, hour, moment, month, week, shade, level, size, extras, paid_by, topics, "
        "i_agree, notes and pressed “Place order”."
    )
    await tab.navigation.wait("load", timeout=5)
    sent = next(request for request in web.requests if request.path == "/sent")
    fields: dict[str, list[str]] = {}
    for name, value in parse_qsl(sent.body.decode()):
        fields.setdefault(name, []).append(value)
    assert fields == {
        "name": ["Ada"],
        "amount": ["2.5"],
        "day": ["2027-01-09"],
        "hour": ["17:30"],
        "moment": ["2027-01-09T17:30"],
        "month": ["2027-02"],
        "week": ["2027-W03"],
        "shade": ["#00ff80"],
        "level": ["7"],
        "size": ["l"],
        "extra": ["Milk", "Lemon"],
        "paid": ["b"],
        "topic": ["2"],
        "terms": ["on"],
        "notes": ["Two\r\nlines"],
    }


async def test_a_failure_reports_what_was_set_and_that_nothing_was_submitted(
    tab: Tab, web: Web, run: Any
) -> None:
    await tab.goto(
        web.page("""
        <form onsubmit="document.title = 'sent'; return false">
          <label>City <input oninput="document.getElementById('size').disabled = true"></label>
          <label>Size <select id=size><option>S<option>M</select></label><button>Book room</button></form>""")
    )
    with pytest.raises(Blocked) as failed:
        await run("book_room", city="Rome", size="M")
    assert str(failed.value) == (
        'Could not set size: combobox "Size" is disabled. Set before it: city. Nothing was submitted. '
        "Enable it first."
    )
    assert await tab.title() == ""


async def test_values_that_the_browser_rejects_are_reported_with_its_message(
    tab: Tab, web: Web, run: Any
) -> None:
    await tab.goto(
        web.page("""
        <form onsubmit="document.title = 'sent'; return false">
          <label>Email <input type=email></label><label>Age <input type=number max=99></label>
          <button>Join club</button></form>""")
    )
    with pytest.raises(Blocked) as failed:
        await run("join_club", email="nobody", age=30)
    assert failed.value.message.startswith(
        "Not submitted, because the page rejects these values: email: \"Please include an '@'"
    )
    assert failed.value.hint == "Set so far: email, age. Call it again with other values."
    assert await tab.title() == ""
    assert (await run("join_club", email="a@b.example")).summary == "Filled in email and pressed “Join club”."
    assert await tab.title() == "sent"


async def test_patterns_of_the_page_are_checked_before_anything_is_set(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page('<form><label>Code <input id=c pattern="[A-Z]{3}"></label><button>Use code</button>')
    )
    with pytest.raises(InvalidArgs, match=r'use_code: code must match "\^\(\?:\[A-Z\]\{3\}\)\$"\.'):
        await run("use_code", code="abc")
    assert await tab.element("#c").value() == ""


@pytest.mark.parametrize(
    ("sender", "pressed"),
    [
        ("<a href='#' onclick='done()'>Send it</a>", "pressed “Send it”"),
        (
            "<div role=button tabindex=0 onclick='done()'><svg width=9 height=9><path d='M0 0'/></svg></div>",
            "",
        ),
        ("<button type=button onclick='done()' aria-label='Send it'><i></i></button>", "pressed “Send it”"),
        ("", "pressed Enter"),
    ],
)
async def test_a_form_is_submitted_by_a_link_an_icon_or_the_enter_key(
    tab: Tab, web: Web, run: Any, sender: str, pressed: str
) -> None:
    page = f"""<h2>Note</h2><form onsubmit="done(); return false"><label>Text <input></label>{sender}</form>
    <script>function done() {{ document.title = "sent " + document.querySelector("input").value }}</script>"""
    await tab.goto(web.page(page))
    (tool,) = (await inventory_of(tab).list_tools()).shown
    outcome = await run(tool.name, text="hello")
    assert await tab.title() == "sent hello"
    assert pressed in outcome.summary


async def test_a_form_that_rerenders_while_being_filled_in_is_filled_in(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("""<main></main><script>
        const held = {};
        function draw() {
          document.querySelector("main").innerHTML = `<form><label>First <input name=first></label>
            <label>Last <input name=last></label><button>Save name</button></form>`;
          const form = document.querySelector("form");
          for (const field of form.querySelectorAll("input")) {
            field.value = held[field.name] ?? "";
            field.oninput = () => { held[field.name] = field.value; draw() };
          }
          form.onsubmit = () => { document.title = form.first.value + " " + form.last.value; return false };
        }
        draw()</script>""")
    )
    await tab.snapshot()
    await run("save_name", first="Ada", last="Byron")
    assert await tab.title() == "Ada Byron"


async def test_options_that_depend_on_another_field_are_awaited(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("""<form onsubmit="document.title = city.value; return false">
        <label>Country <select onchange="setTimeout(() => city.innerHTML = '<option>Lyon<option>Nice', 200)">
          <option>Spain<option>France</select></label>
        <label>City <select id=city><option>Lyon<option>Nice<option>Cadiz</select></label>
        <button>Go there</button></form>""")
    )
    await run("go_there", country="France", city="Nice")
    assert await tab.title() == "Nice"


async def test_a_search_returns_its_first_results(tab: Tab, web: Web, run: Any) -> None:
    def found(request: Request) -> Response:
        items = "".join(f"<li><a href=/{n}>Result {n} for {request.query}</a></li>" for n in range(1, 9))
        return Response(f"<!doctype html><main><h1>Results</h1><ul>{items}</ul></main>")

    web.route("/find", found)
    await tab.goto(web.page("<form role=search action=/find><input name=q><button>Go</button></form>"))
    outcome = await run("search", query="tea")
    assert outcome.summary == "Filled in query and pressed “Go”."
    assert outcome.page_lines == (
        "Results: 8 items, the first:",
        "0. Result 1 for q=tea",
        "1. Result 2 for q=tea",
        "2. Result 3 for q=tea",
        "3. Result 4 for q=tea",
        "4. Result 5 for q=tea",
    )


async def test_a_site_without_a_search_form_is_searched_at_its_declared_url(
    tab: Tab, web: Web, run: Any
) -> None:
    web.page("<title>Found</title>", "/find")
    action = '{"@type": "SearchAction", "target": {"urlTemplate": "/find?q={search_term_string}"}}'
    await tab.goto(web.page(f'<script type="application/ld+json">{{"potentialAction": {action}}}</script>'))
    assert (await run("search", query="green tea & milk")).summary.startswith("Searched at 127.0.0.1")
    assert tab.url == f"{web.url}/find?q=green%20tea%20%26%20milk"
    template = f"{web.url}/find?text={{searchTerms}}&amp;p={{startPage?}}"
    web.route("/os.xml", lambda _: Response(f'<x><Url type="text/html" template="{template}"/></x>'))
    await tab.goto(web.page('<link rel=search type="application/opensearchdescription+xml" href="/os.xml">'))
    await run("search", query="tea")
    assert tab.url == f"{web.url}/find?text=tea&p="


async def test_a_tool_of_an_earlier_page_fails_with_the_current_tools(tab: Tab, web: Web, run: Any) -> None:
    first = web.page("<form><label>Email <input></label><button>Subscribe</button></form>")
    await tab.goto(first)
    await inventory_of(tab).list_tools()
    await tab.goto(web.page("<button onclick='document.title = 1'>Compose</button>"))
    with pytest.raises(Stale) as gone:
        await run("subscribe", email="a")
    assert str(gone.value) == f"The tool subscribe of {first} is gone. It has: compose."
    with pytest.raises(NotFound) as unknown:
        await run("composed")
    assert str(unknown.value) == "This page has no tool composed. It has: compose."
    await run("compose")
    assert await tab.title() == "1"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("print_onne", "Similar: print_one, print_two."),
        ("xyzzy", "It has: print_one, print_two, send_three, send_four, send_five, …"),
    ],
)
async def test_an_unknown_tool_name_is_answered_with_similar_or_existing_tools(
    tab: Tab, web: Web, run: Any, name: str, hint: str
) -> None:
    labels = ("Print one", "Print two", "Send three", "Send four", "Send five", "Send six")
    await tab.goto(
        web.page("".join(f"<button onclick='document.title = 1'>{label}</button>" for label in labels))
    )
    with pytest.raises(NotFound) as unknown:
        await run(name)
    assert unknown.value.hint == hint


async def test_a_dialog_that_a_tool_opens_does_not_block_it(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("<form onsubmit='alert(1)'><label>Text <input></label><button>Send it</button></form>")
    )
    assert (await run("send_it", text="a")).summary == "Filled in text and pressed “Send it”."
    assert tab.dialogs.open is not None


async def test_a_field_that_opens_a_popup_is_set_from_the_popup(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("""<form onsubmit="document.title = day.value; return false">
        <label>Day <input id=day class=datepicker readonly onclick="cal.hidden = false"></label><button>Book it</button></form>
        <div id=cal role=dialog hidden onclick="day.value = event.target.textContent; cal.hidden = true">
          <button>March 13</button><button>March 14</button></div>""")
    )
    await run("book_it", day="March 14")
    assert await tab.title() == "March 14"
    with pytest.raises(
        NotFound, match=r'Could not set day: There is no option .* Options: "March 13", "March 14"\.'
    ):
        await run("book_it", day="May 1")


async def test_a_date_is_chosen_in_the_calendar_of_a_read_only_field(tab: Tab, web: Web, run: Any) -> None:
    days = "".join(f"<td><button type=button>{day}</button></td>" for day in range(1, 31))
    await tab.goto(
        web.page(f"""<form onsubmit="document.title = day.value; return false">
        <label>Day <input id=day class=datepicker readonly value=2026-06-01 onclick="cal.hidden = false"></label>
        <button>Book it</button></form><div id=cal role=dialog hidden
        onclick="day.value = '2026-06-' + event.target.textContent.padStart(2, '0'); cal.hidden = true">
          <b>June 2026</b><table><tr>{days}</tr></table></div>""")
    )
    await run("book_it", day="2026-06-14")
    assert await tab.title() == "2026-06-14"


async def test_a_slider_that_skips_a_value_reports_where_it_stopped(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("""<div role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=9 aria-valuenow=0
        style="width:90px;height:20px;background:#ccc" onkeydown="const step = {ArrowRight: 3, ArrowLeft: -3}[event.key] ?? 0;
        this.setAttribute('aria-valuenow', +this.getAttribute('aria-valuenow') + step)"></div>""")
    )
    assert (await run("set_volume", volume=6)).summary == "Set volume."
    assert await tab.element("[role=slider]").attribute("aria-valuenow") == "6"
    with pytest.raises(Blocked, match=r"The slider stopped at \d\.0"):
        await run("set_volume", volume=8)


async def test_secrets_are_in_no_answer(tab: Tab, web: Web, run: Any) -> None:
    await tab.goto(
        web.page("""<form onsubmit="return false"><label>User <input value=ada></label>
        <label>Password <input type=password value=hidden-one></label><button>Sign in</button></form>""")
    )
    (tool,) = (await inventory_of(tab).list_tools()).shown
    assert tool.schema["properties"] == {
        "user": {"type": "string", "default": "ada"},
        "password": {"type": "string", "writeOnly": True},
    }
    outcome = await run("log_in", user="ada", password="open-sesame")
    assert outcome.summary == "Filled in user, password and pressed “Sign in”."
