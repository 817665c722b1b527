"""The computer that the browser runs on."""

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.browser.process.install import install_browser as install


class Browser(Result):
    """The browser that is there now."""

    path: str = Field(description="Where its program is.")

    def __str__(self) -> str:
        return f"The browser is {self.path}."


@action(Effect.ACT, group="Browsers", scope="admin", idempotent=True, patient=True)
async def install_browser(caller: Caller, args: Args) -> Browser:
    """Install a browser if there is none: by the package manager, else Chrome for Testing; takes minutes."""
    return Browser(path=str(await install(caller.tell)))
