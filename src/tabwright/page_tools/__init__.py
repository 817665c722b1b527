"""Page tools: what a page can do, as tools with names and schemas.

What other layers use:

- `inventory_of(tab)` returns the `Inventory` of a tab, created on first use; a tab without one is neither
  inspected nor watched.
- `await inventory.list_tools()` returns the current `Listing`; it inspects the page only if that has changed.
  `listing.shown` holds at most 20 tools, best first, `listing.rest` the others. `listing.fingerprint` changes
  whenever the names, schemas or descriptions of `shown` change; current field values (`default`) don't count.
- `await inventory.list_within(seconds)` does the same, but returns the last listing if the page does not
  answer in time.
- `inventory.latest` is the last listing, or None before the first one.
- `await inventory.follow(on_change)` runs until it is cancelled or the tab is closed. It calls
  `on_change(listing)` once at first and then whenever the fingerprint changes: after navigations, and after
  the page has changed and settled. Run it in a task group, for tabs whose list is on display.
- `await inventory.call(name, arguments)` checks the arguments and runs the tool. Callers use the action
  `call_page_tool`, so that the runner reports the effects; `await inventory.describe_new_tools()` then names
  the tools that the page did not have before.

A source of tools has `async def tools() -> Sequence[PageTool]`; an `Inventory` has one of each. Tools of
source "site" replace those of source "page" for the same element of the same frame.
"""

from tabwright.page_tools.inventory import Inventory, inventory_of
from tabwright.page_tools.listing import MAX_SHOWN, Listing
from tabwright.page_tools.tool import Outcome, PageTool, Source

__all__ = ["MAX_SHOWN", "Inventory", "Listing", "Outcome", "PageTool", "Source", "inventory_of"]
