"""Page tools: what a page can do, as typed tools with names and schemas, found by looking at it.

What other layers use:

- `inventory_of(tab)` is the `Inventory` of a tab, made when it is first asked for; a tab nobody asks about is
  not looked at and not watched.
- `await inventory.listing()` is the `Listing` of now: looked up again only if the page changed since the last
  look. `listing.shown` (at most 20, best first), `listing.rest`, `listing.mark`: another text whenever the
  names, schemas or descriptions of `shown` are others. Values that fields happen to hold (`default`) do not
  count.
- `await inventory.within(seconds)` is the same for whoever would rather have the last listing than wait, or
  fail, while the page does not answer.
- `inventory.latest` is the last listing, without looking; None before the first look.
- `await inventory.follow(changed)` runs until it is cancelled or the tab is closed, and calls
  `changed(listing)` once at first and then whenever `mark` became another: after navigations, and after
  changes of the page that came to rest. Run it in a task group of your own, for tabs whose list is seen.
- `await inventory.call(name, arguments)` checks the arguments and runs the tool. Callers go through the
  action `call_page_tool`, whose runner observes what it changes; `await inventory.news()` then says which
  tools the page has that it had not before.

A source of tools has `async def tools() -> Sequence[PageTool]`; `Inventory` holds one of each. Tools of
source "site" win over those of source "page" that are about the same element of the same frame.
"""

from tabwright.page_tools.inventory import Inventory, inventory_of
from tabwright.page_tools.listing import MOST_SHOWN, Listing
from tabwright.page_tools.tool import Outcome, PageTool, Source

__all__ = ["MOST_SHOWN", "Inventory", "Listing", "Outcome", "PageTool", "Source", "inventory_of"]
