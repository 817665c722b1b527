"""The user's recipes change the tools of a site and add some."""

import logging
import tomllib
from pathlib import Path

import pytest

from tabwright.errors import Denied, InvalidArgs, Stale
from tabwright.page_tools.recipes.model import InvalidRecipe, read_recipe
from tests.calls import Do
from tests.web import Web

DOCUMENT = Path(__file__).parents[3] / "docs" / "RECIPES.md"
SHOP = """
<title>Shop</title>
<form action=/found><h2>Products</h2><label>Name <input type=search name=q></label><button>Search</button></form>
<button>Open chat</button><button>Give feedback</button>
"""

ORDERS = """<title>Orders</title><label>Order number <input id=order></label>
<button onclick="setTimeout(() => { out.textContent = `Order ${order.value} is on its way` }, 100)">Track</button><p id=out></p>"""


def write(home: Path, text: str, name: str = "shop.toml") -> Path:
    path = home / "recipes" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


async def list_tools(do: Do) -> list[tuple[str, str]]:
    tools = (await do("list_page_tools")).result.model_dump()["tools"]
    return [(tool["name"], tool["description"]) for tool in tools]


async def test_recipes_rename_describe_pin_and_hide_tools(do: Do, web: Web, home: Path) -> None:
    await do("navigate", url=web.page(SHOP, "/shop/start"))
    before = dict(await list_tools(do))
    assert list(before) == ["search_products", "open_chat", "give_feedback"]
    write(
        home,
        """
        site = "127.0.0.1"
        path = "/shop/*"
        [[tool]]
        name = "search_products"
        rename = "find_product"
        describe = "Find a product by its name."
        [[tool]]
        name = "open_chat"
        hide = true
        [[tool]]
        name = "give_feedback"
        pin = true
        """,
    )
    assert await list_tools(do) == [
        ("give_feedback", before["give_feedback"]),
        ("find_product", "Find a product by its name."),
    ]
    answer = await do("call_page_tool", name="find_product", arguments={"query": "cup"})
    assert f"Navigated to {web.url}/found?q=cup" in answer.text
    await do("navigate", url=web.page(SHOP, "/elsewhere"))
    assert await list_tools(do) == list(before.items())
    await do("navigate", url=f"{web.other_site}/shop/start")
    assert await list_tools(do) == list(before.items())


async def test_an_invalid_recipe_is_reported_once_and_breaks_nothing(
    do: Do, web: Web, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write(home, 'site = "127.0.0.1"\n[[sequence]]\nname = "go"\n[[sequence.step]]\ndo = "navigate"\n')
    write(home, 'site = "127.0.0.1"\n[[tool]]\nname = "open_chat"\nhide = true\n', "good.toml")
    await do("navigate", url=web.page(SHOP))
    notice = f"A recipe was ignored: {path}: sequence[1].step[1]: navigate needs url. "
    with caplog.at_level(logging.WARNING, "tabwright.page_tools"):
        first, second = await do("list_page_tools"), await do("list_page_tools")
    assert first.text == notice + second.text
    assert second.text.startswith("2 tools, run by call_page_tool:\nsearch_products(")
    assert len(caplog.records) == 1
    path.write_text("site = ")
    assert (await do("list_page_tools")).text.startswith(
        f"A recipe was ignored: {path}: Invalid value (at end of document). 2 tools"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "site: Field required"),
        ('site = "x"\nsites = 1', "sites: Extra inputs are not permitted"),
        ('site = "x"\n[[tool]]\nname = "Not a name"', "tool[1].name: String should match pattern"),
        ('site = "x"\nsite = "y"\n', "Cannot overwrite a value (at line 2, column 11)"),
        (
            'site="x"\n[[sequence]]\nname="go"\n[[sequence.step]]\ndo="click"\ntarget="@e7"',
            "sequence[1].step[1]: @e7 is a ref, which is not valid on another page",
        ),
        (
            'site="x"\n[[sequence]]\nname="go"\n[[sequence.step]]\ndo="click"\ntarget=["text="]',
            "sequence[1].step[1]: text= has no value",
        ),
        (
            'site="x"\n[[sequence]]\nname="go"\n[[sequence.step]]\ndo="fill"\ntarget="a"\nvalue="{{who}}"',
            "sequence[1]: unknown parameter who",
        ),
    ],
)
def test_an_invalid_file_is_reported_by_line_or_field(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InvalidRecipe) as malformed:
        read_recipe(path)
    assert str(malformed.value).startswith(f"{path}: {fault}")


LOG_IN = """
site = "127.0.0.1"
[[sequence]]
name = "sign_in"
describe = "Sign in to the shop."
parameters.user = { describe = "E-mail address" }
[[sequence.step]]
do = "fill"
target = ['label="E-mail"', "css=#mail"]
value = "{{user}}"
[[sequence.step]]
do = "fill"
target = 'label="Password"'
value = "{{secret:shop}}"
[[sequence.step]]
do = "click"
target = ['role=button[name="Sign in"]', "testid=enter"]
"""
DOOR = """
<form action=/in><label>E-mail <input id=mail name=m></label><label>Password <input type=password name=p></label>
<button data-testid=enter>{}</button></form>
"""


async def test_a_sequence_runs_with_arguments_secrets_and_fallback_locators(
    do: Do, web: Web, home: Path
) -> None:
    write(home, LOG_IN)
    secrets = home / "secrets.toml"
    secrets.write_text(f'[shop]\norigin = "{web.url}"\nvalue = "hunter2-hunter2"\n')
    secrets.chmod(0o600)
    web.page("<title>Welcome</title>", "/in")
    await do("navigate", url=web.page(DOOR.format("Come in")))  # the button has another name now
    tools = (await do("list_page_tools")).result.model_dump()["tools"]
    assert tools[0] == {
        "name": "sign_in",
        "description": "Sign in to the shop.",
        "schema": {
            "type": "object",
            "properties": {"user": {"type": "string", "description": "E-mail address"}},
            "required": ["user"],
            "additionalProperties": False,
        },
        "source": "recipe",
        "read_only": False,
    }
    with pytest.raises(InvalidArgs) as missing:
        await do("call_page_tool", name="sign_in", arguments={})
    assert missing.value.message == "sign_in: user missing."
    answer = await do("call_page_tool", name="sign_in", arguments={"user": "ada@example.com"})
    assert answer.text == (
        'Ran sign_in: 3 steps.\nfill textbox "E-mail"\nfill textbox "Password"\nclick button "Come in"\n'
        f'Navigated to {web.url}/in?m=ada%40example.com&p=[secret shop] "Welcome" (200 OK)'
    )
    assert (await web.wait_for_request("/in")).query == "m=ada%40example.com&p=hunter2-hunter2"


async def test_a_secret_of_a_recipe_is_typed_on_its_own_site_only(do: Do, web: Web, home: Path) -> None:
    write(home, LOG_IN)
    secrets = home / "secrets.toml"
    secrets.write_text('[shop]\norigin = "https://shop.example.com"\nvalue = "hunter2-hunter2"\n')
    secrets.chmod(0o600)
    await do("navigate", url=web.page(DOOR.format("Sign in")))
    with pytest.raises(Denied) as denied:
        await do("call_page_tool", name="sign_in", arguments={"user": "ada"})
    assert denied.value.message == (
        f"sign_in: step 2 of 3 (fill): The secret is for https://shop.example.com, and this is {web.url}. "
        'Done before it: fill textbox "E-mail".'
    )


async def test_a_secret_in_arguments_of_a_page_tool_is_typed_and_never_returned(
    do: Do, web: Web, home: Path
) -> None:
    secrets = home / "secrets.toml"
    secrets.write_text(f'[shop]\norigin = "{web.url}"\nvalue = "hunter2-hunter2"\n')
    secrets.chmod(0o600)
    web.page("<title>Welcome</title>", "/in")
    await do("navigate", url=web.page(DOOR.format("Log in")))
    arguments = {"e_mail": "ada", "password": "{{secret:shop}}"}
    answer = await do("call_page_tool", name="log_in", arguments=arguments)
    assert "hunter2" not in answer.text
    assert (await web.wait_for_request("/in")).query == "m=ada&p=hunter2-hunter2"


async def test_a_changed_site_fails_with_the_step_and_what_is_there(do: Do, web: Web, home: Path) -> None:
    write(home, LOG_IN)
    await do(
        "navigate",
        url=web.page(
            "<label>E-mail <input id=mail></label><label>Pass phrase <input></label><button>Sign</button>"
        ),
    )
    with pytest.raises(Stale) as changed:
        await do("call_page_tool", name="sign_in", arguments={"user": "ada"})
    assert changed.value.message == (
        'sign_in: step 2 of 3 (fill): label="Password" is not on the page. The site may have changed. '
        'Done before it: fill textbox "E-mail".'
    )
    assert 'textbox "Pass phrase"' in changed.value.hint
    assert changed.value.hint.endswith("Then record it again, or correct the recipe.")


async def test_the_recipe_in_the_documentation_runs(do: Do, web: Web, home: Path) -> None:
    text = DOCUMENT.read_text().partition("```toml\n")[2].partition("```")[0]
    assert {*tomllib.loads(text)} == {"site", "path", "tool", "sequence"}
    write(home, text.replace("shop.example.com", "127.0.0.1").replace("https://127.0.0.1", web.url))
    web.page(ORDERS, "/orders")
    await do("navigate", url=web.page(SHOP, "/shop"))
    assert [name for name, _ in await list_tools(do)] == ["find_product", "track_order", "give_feedback"]
    answer = await do("call_page_tool", name="track_order", arguments={"order_number": "A-17"})
    assert answer.text.splitlines() == [
        "Ran track_order: 3 steps.",
        f"navigated to {web.url}/orders",
        'fill textbox "Order number"',
        'click button "Track"',
        f'Navigated to {web.url}/orders "Orders" (200 OK)',
        "New page tools: set_order_number(order_number: string = A-17), track()",
        '+ "Order A-17 is on its way"',
    ]


SEARCH = """
site = "127.0.0.1"
[[sequence]]
name = "look_up"
parameters.what = {{ describe = "What to look for" }}
[[sequence.step]]
do = "navigate"
url = "{}/shop"
[[sequence.step]]
do = "fill"
target = 'label="Name"'
value = "{{{{what}}}}"
[[sequence.step]]
do = "click"
target = 'role=button[name="Search"]'
"""
FOUND = """<title>Found</title><p role=status>3 products</p><main><ul>
<li><a href=/1>Blue cup, large</a><li><a href=/2>Red cup, small</a><li><a href=/3>Saucer, white</a></ul></main>"""


async def test_alerts_and_search_results_after_the_last_step_are_reported(
    do: Do, web: Web, home: Path
) -> None:
    write(home, SEARCH.format(web.url))
    web.page(FOUND, "/found")
    await do("navigate", url=web.page(SHOP, "/shop"))
    answer = await do("call_page_tool", name="look_up", arguments={"what": "cup"})
    assert answer.text.splitlines()[3:9] == [
        'click button "Search"',
        "3 products",
        "3 items, the first:",
        "0. Blue cup, large",
        "1. Red cup, small",
        "2. Saucer, white",
    ]
