"""Assertions: they wait, report the evidence, and fail with what was seen instead."""

import pytest

from tabwright.errors import InvalidArgs, PageFailed
from tests.calls import Do
from tests.web import Web

CART = """
<h1>Cart: <b>1</b></h1>
<p hidden id=gone>Sold out</p>
<label>Name <input id=name value=Ada></label>
<ul><li>Tea<li>Milk</ul>
"""
HINT = "Inspect the page, or allow more time."


async def fail(do: Do, action: str, **args: object) -> str:
    with pytest.raises(PageFailed) as caught:
        await do(action, **args, timeout=0.3)
    assert caught.value.hint == HINT
    return caught.value.message


@pytest.mark.parametrize(
    ("action", "args", "evidence"),
    [
        ("assert_visible", {"target": "h1"}, "h1 is visible"),
        ("assert_visible", {"target": "#gone", "hidden": True}, "#gone is hidden"),
        ("assert_visible", {"target": "#nothing", "hidden": True}, "#nothing is hidden"),
        (
            "assert_text",
            {"target": "h1", "text": "Cart:  1"},
            'the text of heading "Cart: 1" contains "Cart: 1"',
        ),
        (
            "assert_text",
            {"target": "h1", "text": "Cart: 1", "exact": True},
            'the text of heading "Cart: 1" is "Cart: 1"',
        ),
        (
            "assert_text",
            {"target": "h1", "text": "Error", "absent": True},
            'the text of heading "Cart: 1" does not contain "Error"',
        ),
        ("assert_text", {"text": "Milk"}, 'the text of body contains "Milk"'),
        ("assert_value", {"target": "label=Name", "value": "Ada"}, 'textbox "Name" has the value "Ada"'),
        ("assert_count", {"target": "li", "count": 2}, "found 2 elements for li"),
        ("assert_count", {"target": "li", "count": 1, "or_more": True}, "found 2 elements for li"),
        ("assert_count", {"target": ".error", "count": 0}, "found 0 elements for .error"),
        ("assert_no_console_errors", {}, "the console of this page has no errors"),
    ],
)
async def test_an_assertion_that_holds_reports_its_evidence(
    do: Do, web: Web, action: str, args: dict[str, object], evidence: str
) -> None:
    await do("navigate", url=web.page(CART + "<link rel=icon href='data:,'>"))
    assert (await do(action, **args)).text == f"OK: {evidence}."


@pytest.mark.parametrize(
    ("action", "args", "message"),
    [
        (
            "assert_visible",
            {"target": "#gone"},
            "Expected within 0.3 s: #gone is visible; but #gone is hidden.",
        ),
        ("assert_visible", {"target": "#no"}, "Expected within 0.3 s: #no is visible; but nothing matches."),
        (
            "assert_visible",
            {"target": "h1", "hidden": True},
            "Expected within 0.3 s: h1 is hidden; but h1 is visible.",
        ),
        (
            "assert_text",
            {"target": "h1", "text": "Cart: 2"},
            'Expected within 0.3 s: the text of h1 contains "Cart: 2"; but its text is "Cart: 1".',
        ),
        (
            "assert_text",
            {"target": "h1", "text": "Cart", "exact": True},
            'Expected within 0.3 s: the text of h1 is "Cart"; but its text is "Cart: 1".',
        ),
        (
            "assert_text",
            {"text": "Sold out"},
            'Expected within 0.3 s: the text of body contains "Sold out"; but its text is "Cart: 1 Name Tea Milk".',
        ),
        (
            "assert_text",
            {"text": "Milk", "absent": True},
            'Expected within 0.3 s: the text of body does not contain "Milk"; but its text is "Cart: 1 Name Tea Milk".',
        ),
        (
            "assert_value",
            {"target": "#name", "value": ""},
            'Expected within 0.3 s: #name has the value ""; but textbox "Name" has the value "Ada".',
        ),
        (
            "assert_count",
            {"target": "li", "count": 3},
            "Expected within 0.3 s: 3 elements for li; but found 2 elements for li.",
        ),
        (
            "assert_count",
            {"target": "li", "count": 3, "or_more": True},
            "Expected within 0.3 s: 3 elements or more for li; but found 2 elements for li.",
        ),
    ],
)
async def test_an_assertion_that_fails_reports_what_was_seen(
    do: Do, web: Web, action: str, args: dict[str, object], message: str
) -> None:
    await do("navigate", url=web.page(CART))
    assert await fail(do, action, **args) == f"Assertion failed. {message}"


async def test_assertions_wait_for_the_page(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page("""<h1>Loading</h1><input id=total><script>
            setTimeout(() => {
              document.querySelector('h1').textContent = 'Ready';
              total.value = '42';
              document.body.append(document.createElement('hr'));
              history.replaceState(null, '', '?ready');
            }, 300)
            </script>"""),
    )
    assert (await do("assert_value", target="#total", value="42", timeout=60)).text == (
        'OK: textbox has the value "42".'
    )
    assert (
        await do("assert_text", text="Ready", timeout=60)
    ).text == 'OK: the text of body contains "Ready".'
    assert (await do("assert_count", target="hr", count=1, timeout=60)).text == "OK: found 1 element for hr."
    assert (await do("assert_url", pattern="*?ready", timeout=60)).text.endswith("?ready.")


async def test_the_most_similar_line_of_a_long_page_is_shown(do: Do, web: Web) -> None:
    rows = "".join(f"<p>Row {number} of the long list</p>" for number in range(50))
    await do("navigate", url=web.page(f"{rows}<p>Card declined: 4711</p>"))
    assert await fail(do, "assert_text", text="Card accepted: 4711") == (
        'Assertion failed. Expected within 0.3 s: the text of body contains "Card accepted: 4711"; '
        'but its text is long; its most similar line is "Card declined: 4711".'
    )


async def test_the_url_is_asserted(do: Do, web: Web) -> None:
    url = web.page("<p>Here</p>")
    await do("navigate", url=url)
    assert (await do("assert_url", pattern=url)).text == f"OK: the URL is {url}."
    assert await fail(do, "assert_url", pattern="*/checkout") == (
        f"Assertion failed. Expected within 0.3 s: the URL matches */checkout; but the URL is {url}."
    )


async def test_console_errors_of_this_page_fail_the_assertion(do: Do, web: Web) -> None:
    icon = "<link rel=icon href='data:,'>"
    await do(
        "navigate", url=web.page(f"{icon}<script>console.error('no stock'); throw Error('boom')</script>")
    )
    with pytest.raises(PageFailed) as caught:
        await do("assert_no_console_errors")
    assert caught.value.message == (
        'Assertion failed. The console has 2 errors: error "no stock"; exception "Uncaught Error: boom".'
    )
    assert (await do("assert_no_console_errors", ignore=["stock", "boom"])).text.startswith("OK")
    await do("navigate", url=web.page(icon))
    assert (await do("assert_no_console_errors")).text == "OK: the console of this page has no errors."


async def test_requests_are_asserted_by_url_method_and_status(do: Do, web: Web) -> None:
    missing = web.page("").rpartition("/")[0] + "/api/order"
    await do("navigate", url=web.page("<link rel=icon href='data:,'><h1>Order</h1>"))
    await do("evaluate", script=f"await fetch({missing!r}, {{method: 'POST'}})")
    held = (await do("assert_request", pattern="*/api/order", method="post", status="4xx")).text
    assert held == f"OK: the page sent r2 POST {missing} 404."
    assert await fail(do, "assert_request", pattern="*/api/order", status="200") == (
        "Assertion failed. Expected within 0.3 s: a request */api/order with 200; "
        f"but the last requests to it were r2 POST {missing} 404."
    )


@pytest.mark.parametrize(
    ("action", "args"),
    [
        ("assert_text", {"text": ""}),
        ("assert_count", {"target": "li", "count": -1}),
        ("assert_count", {"target": "li[", "count": 1}),
        ("assert_request", {"pattern": "*", "status": "okay"}),
        ("assert_visible", {"target": "h1", "timeout": 0}),
    ],
)
async def test_wrong_arguments_of_assertions(do: Do, web: Web, action: str, args: dict[str, object]) -> None:
    await do("navigate", url=web.page("<h1>Here</h1>"))
    with pytest.raises(InvalidArgs):
        await do(action, **args)
