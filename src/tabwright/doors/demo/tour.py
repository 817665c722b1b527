"""The steps of the tour: a shop, its page tools, a form, a single-page app and frames."""

from tabwright.doors.demo.player import Player, ref


async def tour(player: Player, site: str) -> None:
    """Visit the whole site."""
    await _shop(player, site)
    await _page_tools(player)
    await _form(player)
    await _app(player)
    await _frames(player)


async def _shop(player: Player, site: str) -> None:
    player.start(
        "A shop",
        "A snapshot lists what an agent can act on. A click that is blocked is an error that says why.",
    )
    await player.call("browser_navigate", url=f"{site}/index.html")
    page = await player.call("browser_snapshot", interactiveOnly=True)
    tea = ref(page, 'button "Add Sencha"')
    await player.expect_failure("browser_click", selector=tea, timeout=500)
    await player.call("browser_click", selector=ref(page, 'button "Start shopping"'))
    await player.call("browser_click", selector=tea)


async def _page_tools(player: Player) -> None:
    player.start(
        "Page tools", "Tabwright finds the forms and lists of a page and offers them as tools with arguments."
    )
    await player.call("list_page_tools")
    await player.call("call_page_tool", name="search_teas", arguments={"query": "smoky", "sort_by": "Price"})
    await player.picture(
        "shop.jpg",
        "the shop, with the ref of each element",
        marks=True,
        includeAccessibilityTree=False,
    )


async def _form(player: Player) -> None:
    player.start("A form", "One tool fills any kind of field, and each reply reports what changed.")
    await player.call("browser_click", selector="text=Checkout")
    page = await player.call("browser_snapshot", interactiveOnly=True)
    await player.call("browser_fill", selector=ref(page, 'textbox "Full name"'), value="Ada Lovelace")
    await player.call("browser_fill", selector=ref(page, 'textbox "E-mail"'), value="ada@example.org")
    await player.call("browser_fill", selector="label=Delivery", value="Collect at the harbour")
    await player.call("browser_fill", selector="label=Day of delivery", value="2027-05-31")
    await player.call("browser_click", selector=ref(page, 'button "Place order"'))
    await player.picture("order.jpg", "the page after the form was sent", includeAccessibilityTree=False)


async def _app(player: Player) -> None:
    player.start("A single-page app", "The address changes without loading a page; the reply reports it.")
    await player.call("browser_click", selector="text=Orders")
    await player.call("browser_click", selector="text=Order 1042 for Grace")
    await player.call("browser_click", selector="text=Mark as sent")


async def _frames(player: Player) -> None:
    player.start(
        "Frames",
        "One of the two frames belongs to another site and runs in its own process. The agent sees one page.",
    )
    await player.call("browser_click", selector="text=Help")
    page = await player.call("browser_snapshot")
    await player.call("browser_click", selector="text=How hot should the water be?")
    await player.call("browser_fill", selector=ref(page, 'textbox "Parcel"'), value="1042")
    await player.call("browser_click", selector=ref(page, 'button "Track"'))
    await player.picture("help.jpg", "both frames, with refs", marks=True, includeAccessibilityTree=False)
