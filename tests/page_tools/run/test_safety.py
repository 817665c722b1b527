"""A tool never presses a button, or types a secret, that its name and parameters do not announce."""

from pathlib import Path

import pytest

from tabwright.errors import Blocked, Denied, Stale
from tests.calls import Do
from tests.web import Web

PANELS = """
<main>
  <div class="panel"><h2>Log in</h2><form onsubmit="document.title = 'in'; return false">
    <label>Email <input name=email type=email></label><label>Password <input name=pw type=password></label>
    <button>Log in</button></form></div>
  <div class="panel"><h2>New here</h2><form onsubmit="document.title = 'new'; return false">
    <label>Email <input name=email type=email></label><label>Password <input name=pw type=password></label>
    <label>Again <input name=pw2 type=password></label><button>Create account</button></form></div>
  <div class="panel"><h2>Pay</h2><form onsubmit="document.title = 'paid'; return false">
    <label>Card <input name=card></label><label>Expiry <input name=expiry id=expiry></label>
    <button>Pay now</button></form></div>
</main>"""


async def list_tools(do: Do) -> dict[str, list[str]]:
    """Return the parameters of each tool by its name."""
    answer = await do("list_page_tools", more=True)
    tools = answer.result.model_dump()["tools"]
    return {tool["name"]: [*tool["schema"]["properties"]] for tool in tools}


async def evaluate(do: Do, script: str) -> object:
    value: object = (await do("evaluate", script=script)).result.model_dump()["value"]
    return value


def store_secret(home: Path, web: Web) -> None:
    file = home / "secrets.toml"
    file.write_text(f'[shop]\norigin = "{web.url}"\nvalue = "hunter2-hunter2"\n')
    file.chmod(0o600)


async def test_unlike_forms_in_alike_boxes_are_separate_tools(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(PANELS))
    assert await list_tools(do) == {
        "log_in": ["email", "password"],
        "sign_up": ["email", "password", "again"],
        "pay_now": ["card", "expiry"],
    }


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ("<input name=a><input name=c>", ["save", "save_2", "save_3"]),
        ("<input name=a>", ["save", "save_2", "save_3"]),
        ("<input name=b><input name=a>", ["save", "save_2", "save_3"]),
        ("<input name=a><input name=b type=password>", ["log_in", "save", "save_2"]),
    ],
)
async def test_forms_with_other_fields_do_not_share_a_tool(
    do: Do, web: Web, fields: str, names: list[str]
) -> None:
    item = "<li><form>{}<button>Save</button></form></li>"
    alike = item.format("<input name=a><input name=b>") * 2
    await do("navigate", url=web.page(f"<ul>{alike}{item.format(fields)}</ul>"))
    assert [*await list_tools(do)] == names


async def test_alike_forms_of_a_list_are_one_tool(do: Do, web: Web) -> None:
    item = """<li><a href="#{0}">Cup {0}</a><form onsubmit="document.title = 'cup {0}'; return false">
      <label>Quantity <input name=quantity_{0} type=number></label><button>Add to cart</button></form></li>"""
    items = '<li><a href="#0">Cup 0</a> sold out</li>' + "".join(map(item.format, range(1, 4)))
    await do("navigate", url=web.page(f"<h2>Cups</h2><ul>{items}</ul>"))
    await do("call_page_tool", name="add_to_cart", arguments={"index": 2, "quantity": 3})
    assert await evaluate(do, "document.title") == "cup 2"
    with pytest.raises(Blocked) as failed:
        await do("call_page_tool", name="add_to_cart", arguments={"index": 0, "quantity": 3})
    assert str(failed.value) == "Item 0 has no such form. Choose another item."
    assert await evaluate(do, "document.title") == "cup 2"


async def test_a_form_with_a_password_and_a_pay_button_is_not_a_log_in(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page(
            "<form><input name=card><input name=pin type=password><button>Pay $20 now</button></form>"
        ),
    )
    assert [*await list_tools(do)] == ["pay_now"]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Yes, delete my account and everything in it for good, please", "delete_press_button"),
        ("Confirm and pay", "confirm_and_pay"),
        ("Place your order", "place_your_order"),
        ("支払う", "pay_zhi_fanu"),
    ],
)
async def test_the_name_of_a_tool_says_what_its_button_does(do: Do, web: Web, label: str, name: str) -> None:
    await do("navigate", url=web.page(f"<main><button>{label}</button></main>"))
    assert [*await list_tools(do)] == [name]


async def test_a_button_that_begins_to_pay_while_the_form_is_filled_in_is_not_pressed(
    do: Do, web: Web
) -> None:
    await do(
        "navigate",
        url=web.page("""
          <form onsubmit="document.title = 'paid'; return false">
            <label>Coupon <input oninput="go.textContent = 'Pay now'"></label><button id=go>Check coupon</button>
          </form>"""),
    )
    with pytest.raises(Stale) as failed:
        await do("call_page_tool", name="check_coupon", arguments={"coupon": "X"})
    assert str(failed.value) == (
        'Filled in coupon, but could not submit: The button is now "Pay now", which check_coupon does not say. '
        "It was not pressed. List the page tools again, or click the button itself."
    )
    assert await evaluate(do, "document.title") == ""


async def test_a_tool_whose_button_pays_now_is_not_called_by_its_old_name(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page("""
          <form onsubmit="document.title = 'paid'; return false">
            <label>Coupon <input></label><button id=go>Check coupon</button></form>"""),
    )
    assert [*await list_tools(do)] == ["check_coupon"]
    await do("evaluate", script="document.getElementById('go').textContent = 'Pay now'")
    with pytest.raises(Stale):
        await do("call_page_tool", name="check_coupon", arguments={"coupon": "X"})
    assert await evaluate(do, "document.title") == ""


async def test_a_stored_secret_is_typed_into_password_fields_only(do: Do, web: Web, home: Path) -> None:
    store_secret(home, web)
    await do("navigate", url=web.page(PANELS))
    with pytest.raises(Denied) as failed:
        await do("call_page_tool", name="pay_now", arguments={"card": "1", "expiry": "{{secret:shop}}"})
    assert str(failed.value) == (
        "Could not set expiry: A secret is typed into a password or one-time-code field only. "
        "Set before it: card. Nothing was submitted. "
        "To type it into this field all the same, use fill with the field as its target."
    )
    assert await evaluate(do, "[document.title, expiry.value]") == ["", ""]
    await do(
        "call_page_tool", name="log_in", arguments={"email": "a@b.example", "password": "{{secret:shop}}"}
    )
    assert await evaluate(do, "document.title") == "in"


async def test_a_password_is_not_typed_into_a_field_that_became_readable(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page("""
          <form onsubmit="document.title = 'in'; return false">
            <label>Email <input oninput="pw.type = 'text'"></label>
            <label>Password <input id=pw type=password></label><button>Log in</button></form>"""),
    )
    with pytest.raises(Denied):
        await do("call_page_tool", name="log_in", arguments={"email": "ada", "password": "hunter2"})
    assert await evaluate(do, "[document.title, pw.value]") == ["", ""]


@pytest.mark.parametrize("label", ["Export", "Next", "Mark all read", "Print", "New message"])
async def test_a_live_search_box_presses_no_unrelated_button(do: Do, web: Web, label: str) -> None:
    await do(
        "navigate",
        url=web.page(f"""
          <main><div class=bar><input type=search placeholder="Filter orders" oninput="shown.textContent = value">
            <button onclick="document.title = 'pressed'">{label}</button></div><p id=shown></p></main>"""),
    )
    answer = await do("call_page_tool", name="filter_orders", arguments={"query": "tea"})
    assert answer.text.startswith("Set query.")
    assert await evaluate(do, "[document.title, shown.textContent]") == ["", "tea"]


async def test_enter_in_a_filter_does_not_press_the_button_of_a_form_around_it(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page("""
          <form onsubmit="document.title = 'sent'; return false">
            <input type=search placeholder="Filter rows"><button>Delete all</button></form>"""),
    )
    answer = await do("call_page_tool", name="filter_rows", arguments={"query": "tea"})
    assert answer.text.startswith("Filled in query and pressed nothing: its button does something else.")
    assert await evaluate(do, "document.title") == ""


async def test_a_search_box_presses_its_own_button(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page("""
          <main><div><input placeholder="Search orders" id=q><button onclick="document.title = q.value">Go</button>
            <button onclick="document.title = 'no'">Export</button></div></main>"""),
    )
    answer = await do("call_page_tool", name="search_orders", arguments={"query": "tea"})
    assert answer.text.startswith("Filled in query and pressed “Go”.")
    assert await evaluate(do, "document.title") == "tea"
