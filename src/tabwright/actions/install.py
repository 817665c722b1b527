"""Installing a browser."""

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.browser.process.install import install_browser as install
from tabwright.browser.process.launch import LaunchOptions


class Browser(Result):
    """The browser that is now installed."""

    path: str = Field(description="Path of its program.")

    def __str__(self) -> str:
        return f"The browser is at {self.path}."


@action(Effect.ACT, does=("manage",), group="Browsers", scope="manage", idempotent=True, patient=True)
async def install_browser(caller: Caller, args: Args) -> Browser:
    """Install a browser if there is none: by package manager, else Chrome for Testing; takes minutes."""
    return Browser(path=str(await install(caller.report, downloads=LaunchOptions().downloads)))
