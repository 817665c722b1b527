"""What is found on pages that others write: fields wherever they stand, and no tool from words of a text."""

from tests.calls import Do
from tests.web import Web


async def list_tools(do: Do, web: Web, html: str) -> list[str]:
    """Return the listing of a page, without its first line."""
    await do("navigate", url=web.page(html))
    return str((await do("list_page_tools")).result).splitlines()[1:]


async def test_fields_in_items_and_rows_without_a_form_are_submitted_by_what_looks_like_a_button(
    do: Do, web: Web
) -> None:
    rows = """<table><tr><td>User</td><td><input name=read1></td></tr>
      <tr><td>Password</td><td><input name=read2 type=password></td></tr></table>
      <div class=btn onclick="document.title = 'in'">Log in</div>"""
    assert await list_tools(do, web, rows) == [
        (
            "log_in(user?: string, password?: string, write only) — "
            "Fill in and submit the log-in form. From the page: “Log in”"
        )
    ]
    await do("call_page_tool", name="log_in", arguments={"user": "ada", "password": "x"})
    assert (await do("evaluate", script="document.title")).result.model_dump()["value"] == "in"


async def test_the_button_of_a_form_in_a_dialog_may_stand_after_the_form(do: Do, web: Web) -> None:
    dialog = """<div role=dialog aria-label="Edit profile"><form><label>Nickname <input></label></form>
      <footer><button>Cancel</button><button>Save</button></footer></div>"""
    assert await list_tools(do, web, dialog) == [
        "save_edit_profile(nickname?: string) — Fill in and submit the form. From the page: “Edit profile; Save”",
        "cancel() — Press a button. From the page: “Cancel”",
    ]


async def test_a_text_below_a_field_is_its_label(do: Do, web: Web) -> None:
    page = """<form><div><input name=f1><small>Postal code</small></div>
      <div><input name=f2><small>City</small></div><button>Find shops</button></form>"""
    assert await list_tools(do, web, page) == [
        (
            "find_shops(postal_code?: string, city?: string) — "
            "Fill in and submit the form. From the page: “Find shops”"
        )
    ]


async def test_lengths_and_patterns_are_in_the_listing(do: Do, web: Web) -> None:
    page = """<form><label>Code <input minlength=2 maxlength=6></label>
      <label>Postal code <input pattern="[0-9]{5}" required></label><button>Check code</button></form>"""
    assert await list_tools(do, web, page) == [
        (
            "check_code(code?: string, 2..6 characters, postal_code: string, like [0-9]{5}) — "
            "Fill in and submit the form. From the page: “Check code”"
        )
    ]


async def test_links_in_a_text_and_menus_are_not_tools(do: Do, web: Web) -> None:
    text = """<ul class=navbar><li><a href="/">Home</a></li><li><a href="/a">About</a></li><li><a href="/b">Blog</a></li></ul>
      <article><h1>Harbours</h1><p>One.</p><p>Two.</p><p>Three.</p>
      <ul><li>In the north lies <a href="/n">Kaipara</a>, which is large and shallow.</li>
        <li>In the south lies <a href="/s">Otago</a>, which is long and narrow.</li>
        <li>In the east lies <a href="/e">Tauranga</a>, which is busy all year.</li></ul>
      <h2>Related articles</h2>
      <ul><li><a href="/1">Lighthouses of the coast</a></li><li><a href="/2">How tides work</a></li>
        <li><a href="/3">Ships and their names</a></li><li><a href="/4">Knots for beginners</a></li></ul></article>"""
    assert await list_tools(do, web, text) == [
        (
            "open_related_article(index: integer 0..3) — Open one of 4 items; 0 is the first. From the page: "
            "“Related articles: Lighthouses of the coast, How tides work, Ships and their names, …”"
        )
    ]


async def test_the_heads_of_columns_are_one_tool_that_sorts(do: Do, web: Web) -> None:
    row = "<tr><td>Tea</td><td>3</td></tr>"
    page = f"<h2>Stock</h2><table><tr><th><button>Name</button></th><th><button>Pieces</button></th></tr>{row * 3}</table>"
    assert await list_tools(do, web, page) == [
        "read_stock() — Read a table of 3 rows. From the page: “Stock”",
        "sort_stock(column: Name|Pieces) — Sort the table by a column. From the page: “Stock”",
    ]


async def test_buttons_of_which_one_is_current_are_one_tool(do: Do, web: Web) -> None:
    page = """<label>Licence</label><div><button class="chip active">Single</button><button class=chip>Team</button>
      <button class=chip>Company</button></div>"""
    assert await list_tools(do, web, page) == [
        (
            "select_licence_item(item: Single|Team|Company = Single) — "
            "Press one of several buttons. From the page: “Licence”"
        )
    ]


async def test_links_that_look_like_buttons_and_do_something_are_tools(do: Do, web: Web) -> None:
    page = """<header><a href="/in">Sign in</a></header><main><a class="btn" href="/new">New user</a>
      <p>You may <a href="/x">add</a> more.</p><a href="/more">Add-ons</a></main>"""
    assert [line.partition("(")[0] for line in await list_tools(do, web, page)] == ["new_user", "sign_in"]


async def test_a_button_next_to_one_field_does_not_submit_the_others(do: Do, web: Web) -> None:
    page = """<section><h3>Business</h3><div><label>Name <input name=n></label></div><div><label>Place <input name=p></label></div>
      <h3>Email</h3><div><label>Email <input name=e></label><button>Change</button></div>
      <h3>Password</h3><button>Set new password</button><footer><button>Submit</button></footer></section>"""
    assert [line.partition(" — ")[0] for line in await list_tools(do, web, page)] == [
        "submit_business(name?: string, place?: string)",
        "change_email(email?: string)",
        "set_new_password()",
    ]


async def test_the_item_of_a_row_is_its_own_link_not_one_that_rows_share(do: Do, web: Web) -> None:
    kinds = ("Widget", "Widget", "Box", "Box")
    rows = "".join(
        f'<tr><td><a href="/{kind}">{kind}</a></td><td><a href="/f{number}">make_{number}</a></td></tr>'
        for number, kind in enumerate(kinds)
    )
    answer = await list_tools(do, web, f"<h2>Functions</h2><table>{rows}</table>")
    assert answer[0] == (
        "open_function(index: integer 0..3) — Open one of 4 items; 0 is the first. "
        "From the page: “Functions: make_0, make_1, make_2, …”"
    )


async def test_rows_of_links_inside_a_form_can_be_opened(do: Do, web: Web) -> None:
    rows = "".join(
        f'<tr><td><input type=checkbox name=s></td><td><a href="/{name}">{name}</a></td></tr>'
        for name in ("Ada", "Bea", "Cid")
    )
    page = f"<h1>Users</h1><form><select name=do><option>Delete</option></select><button>Go</button><table>{rows}</table></form>"
    assert "open_user" in [line.partition("(")[0] for line in await list_tools(do, web, page)]


async def test_a_link_that_looks_like_the_button_of_a_form_is_not_a_second_tool(do: Do, web: Web) -> None:
    page = """<form><label>Email <input type=email></label><label>Password <input type=password></label>
      <a href="/forgot">Forgot password?</a><a class="btn btn-primary" href="#in">Login</a></form>"""
    assert [line.partition("(")[0] for line in await list_tools(do, web, page)] == ["log_in"]
    await do("call_page_tool", name="log_in", arguments={"email": "ada@example.org", "password": "x"})
    assert (await do("evaluate", script="location.hash")).result.model_dump()["value"] == "#in"


async def test_boxes_that_open_branches_of_a_tree_of_links_are_not_tools(do: Do, web: Web) -> None:
    branch = (
        "<li><input type=checkbox id={0}><label for={0}>Part {0}</label><ul><li><a href=/{0}>Page</a></ul>"
    )
    boxes = "<label><input type=checkbox name=wide> Wide</label>"
    page = f"<ul>{''.join(branch.format(name) for name in 'abc')}</ul>{boxes}"
    names = [line.partition("(")[0] for line in await list_tools(do, web, page)]
    assert [name for name in names if name.startswith("set_")] == ["set_wide"]


async def test_a_form_that_saves_a_user_is_not_a_sign_up_form(do: Do, web: Web) -> None:
    page = """<h1>Add user</h1><form><label>Username <input required></label>
      <label>Password <input type=password autocomplete=new-password></label>
      <label>Password confirmation <input type=password autocomplete=new-password></label>
      <input type=submit value=Save></form>"""
    (tool,) = await list_tools(do, web, page)
    assert tool == (
        "add_user(username: string, password?: string, write only, password_confirmation?: string, write only) — "
        "Fill in and submit the form. From the page: “Add user; Save”"
    )


async def test_cards_in_several_rows_and_links_in_several_columns_are_one_list(do: Do, web: Web) -> None:
    def card(name: str) -> str:
        return f"<div class=col><div class=card><h3>{name}</h3><p>Tea</p><a href=/{name}>Read more</a></div></div>"

    rows = "".join(f"<div class=row>{''.join(map(card, names))}</div>" for names in ("ab", "cd", "e"))
    columns = "".join(
        f"<div class=col-6><ul>{''.join(f'<li><a href=/{name}>{name}</a>' for name in names)}</ul></div>"
        for names in (["Green", "Black", "White"], ["Oolong", "Mate", "Herbal"])
    )
    page = (
        f"<main><h2>Recipes</h2><div>{rows}</div><h2>Kinds of tea</h2><div class=row>{columns}</div></main>"
    )
    assert await list_tools(do, web, page) == [
        "open_recipe(index: integer 0..4) — Open one of 5 items; 0 is the first. From the page: “Recipes: a, b, c, …”",
        (
            "open_kinds_of_tea_item(index: integer 0..5) — "
            "Open one of 6 items; 0 is the first. From the page: “Kinds of tea: Green, Black, White, …”"
        ),
    ]


async def test_an_amount_does_not_submit_fields(do: Do, web: Web) -> None:
    page = """<div><label>Card number <input></label><label>Holder <input></label>
      <div><button type=button>$2</button><button type=button>$5</button></div><button>Pay now</button></div>"""
    assert (await list_tools(do, web, page))[0].startswith("pay_now(card_number?: string, holder?: string)")
