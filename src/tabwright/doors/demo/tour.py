"""What is shown: an agent's work on a shop, a form, a single-page app and frames, call by call."""

from tabwright.doors.demo.player import Player, ref


async def tour(guide: Player, site: str) -> None:
    """Go through the whole site."""
    await _shop(guide, site)
    await _page_tools(guide)
    await _form(guide)
    await _app(guide)
    await _frames(guide)


async def _shop(guide: Player, site: str) -> None:
    guide.begin(
        "A shop", "One snapshot tells what can be acted on. An act that did not happen is never told as done."
    )
    await guide.call("browser_navigate", url=f"{site}/index.html")
    page = await guide.call("browser_snapshot", interactiveOnly=True)
    tea = ref(page, 'button "Add Sencha"')
    await guide.refused("browser_click", selector=tea, timeout=500)
    await guide.call("browser_click", selector=ref(page, 'button "Start shopping"'))
    await guide.call("browser_click", selector=tea)


async def _page_tools(guide: Player) -> None:
    guide.begin("Its own tools", "Forms and lists of the page become tools with arguments, found by looking.")
    await guide.call("list_page_tools")
    await guide.call("call_page_tool", name="search_teas", arguments={"query": "smoky", "sort_by": "Price"})
    await guide.picture(
        "shop.jpg",
        "the shop, with a mark on everything that has a ref",
        marks=True,
        includeAccessibilityTree=False,
    )


async def _form(guide: Player) -> None:
    guide.begin("A form", "Fields of any kind are filled alike, and each reply says what changed.")
    await guide.call("browser_click", selector="text=Checkout")
    page = await guide.call("browser_snapshot", interactiveOnly=True)
    await guide.call("browser_fill", selector=ref(page, 'textbox "Full name"'), value="Ada Lovelace")
    await guide.call("browser_fill", selector=ref(page, 'textbox "E-mail"'), value="ada@example.org")
    await guide.call("browser_fill", selector="label=Delivery", value="Collect at the harbour")
    await guide.call("browser_fill", selector="label=Day of delivery", value="2027-05-31")
    await guide.call("browser_click", selector=ref(page, 'button "Place order"'))
    await guide.picture("order.jpg", "what came of the form", includeAccessibilityTree=False)


async def _app(guide: Player) -> None:
    guide.begin("A single-page app", "The address changes without a page being loaded; the reply tells.")
    await guide.call("browser_click", selector="text=Orders")
    await guide.call("browser_click", selector="text=Order 1042 for Grace")
    await guide.call("browser_click", selector="text=Mark as sent")


async def _frames(guide: Player) -> None:
    guide.begin(
        "Frames", "One of the two is another site's, in a process of its own. To an agent it is one page."
    )
    await guide.call("browser_click", selector="text=Help")
    page = await guide.call("browser_snapshot")
    await guide.call("browser_click", selector="text=How hot should the water be?")
    await guide.call("browser_fill", selector=ref(page, 'textbox "Parcel"'), value="1042")
    await guide.call("browser_click", selector=ref(page, 'button "Track"'))
    await guide.picture("help.jpg", "both frames, with marks", marks=True, includeAccessibilityTree=False)
