"""Buttons that pay, delete or send under another name, in another language, or without a text."""

import pytest

from tabwright.errors import TabwrightError
from tabwright.page_tools.found.consequences import announces
from tests.calls import Do
from tests.web import Web


async def tool_names(do: Do, web: Web, html: str) -> list[str]:
    await do("navigate", url=web.page(html))
    answer = await do("list_page_tools", more=True)
    return [tool["name"] for tool in answer.result.model_dump()["tools"]]


async def pressed(do: Do) -> object:
    value: object = (await do("evaluate", script="document.title")).result.model_dump()["value"]
    return value


@pytest.mark.parametrize(
    ("button", "verb"),
    [
        ('<button aria-label="Delete account"><svg width=9 height=9></svg></button>', "delete"),
        ('<button title="Send message"><i class=icon></i></button>', "send"),
        ('<input type=image alt="Pay now" src="data:,">', "pay"),
        ("<button>Jetzt kostenpflichtig bestellen</button>", "pay"),
        ("<button>Zahlungspflichtig bestellen</button>", "pay"),
        ("<button>Konto endgültig löschen</button>", "delete"),
        ("<button>Supprimer mon compte</button>", "delete"),
        ("<button>Usuń konto</button>", "delete"),
        ("<button>Удалить аккаунт</button>", "delete"),
        ("<button>Оплатить</button>", "pay"),
        ("<button>注文を確定する</button>", "pay"),
        ("<button>Permanently delete</button>", "delete"),
        ("<button>Save and publish</button>", "send"),
        ("<button>Proceed to payment and pay 20 €</button>", "pay"),
        ("<button>Transfer money</button>", "pay"),
        ("<button>Hemen öde</button>", "pay"),
        ("<button>Finalizar compra</button>", "pay"),
        ("<button>Passer commande</button>", "pay"),
        ("<button>Unsubscribe and delete my data</button>", "delete"),
    ],
)
async def test_a_form_says_what_its_button_does(do: Do, web: Web, button: str, verb: str) -> None:
    names = await tool_names(
        do, web, f"<form><h2>Settings</h2><label>Coupon <input name=coupon></label>{button}</form>"
    )
    assert [announces(name, {"pay": "Pay", "delete": "Delete", "send": "Send"}[verb]) for name in names] == [
        True
    ]


async def test_an_icon_that_begins_to_delete_while_it_is_filled_in_is_not_pressed(do: Do, web: Web) -> None:
    page = """<form onsubmit="document.title = 'gone'; return false"><label>Name <input oninput="b.ariaLabel = 'Delete'"></label>
      <button id=b aria-label="Rename"><svg width=9 height=9></svg></button></form>"""
    assert await tool_names(do, web, page) == ["rename"]
    with pytest.raises(TabwrightError):
        await do("call_page_tool", name="rename", arguments={"name": "x"})
    assert await pressed(do) == ""


@pytest.mark.parametrize("label", ["Permanently delete", "Konto löschen", "Jetzt kostenpflichtig bestellen"])
async def test_a_button_whose_verb_stands_last_is_not_pressed_under_another_name(
    do: Do, web: Web, label: str
) -> None:
    page = f"""<form onsubmit="document.title = 'gone'; return false"><label>Name <input oninput="b.textContent = '{label}'"></label>
      <button id=b>Rename</button></form>"""
    assert await tool_names(do, web, page) == ["rename"]
    with pytest.raises(TabwrightError):
        await do("call_page_tool", name="rename", arguments={"name": "x"})
    assert await pressed(do) == ""


async def test_a_button_that_is_replaced_while_the_form_is_filled_in_is_not_pressed(do: Do, web: Web) -> None:
    page = """<form onsubmit="document.title = 'gone'; return false">
      <label>Name <input oninput="b.outerHTML = '<button id=b>Pay 20 now</button>'"></label><button id=b>Rename</button></form>"""
    await tool_names(do, web, page)
    with pytest.raises(TabwrightError):
        await do("call_page_tool", name="rename", arguments={"name": "x"})
    assert await pressed(do) == ""


async def test_a_filter_next_to_an_icon_that_deletes_does_not_press_it(do: Do, web: Web) -> None:
    page = """<div><input type=search placeholder="Filter rows">
      <button onclick="document.title = 'gone'" aria-label="Delete rows"><svg width=9 height=9></svg></button></div>"""
    await tool_names(do, web, page)
    await do("call_page_tool", name="filter_rows", arguments={"query": "tea"})
    assert await pressed(do) == ""


async def test_a_search_form_does_not_press_an_icon_titled_delete(do: Do, web: Web) -> None:
    page = """<form onsubmit="document.title = 'gone'; return false"><input type=search placeholder="Search rows">
      <button title="Löschen"><i></i></button></form>"""
    names = await tool_names(do, web, page)
    await do("call_page_tool", name=names[0], arguments={"query": "tea"})
    assert await pressed(do) == "" or "delete" in names[0]
