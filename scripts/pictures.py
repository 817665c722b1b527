"""Takes the screenshot of the README: the dashboard while an agent uses the demo site."""

import base64
import io
import tempfile
from pathlib import Path

import anyio
from PIL import Image

from tabwright.app import running
from tabwright.browser.browser import Browser
from tabwright.browser.capture.screenshot import capture
from tabwright.call import Call
from tabwright.doors.demo.site import serve_site
from tabwright.errors import Blocked
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.settings import Settings
from tests.doors.http.wired import http_door

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
_READY = (
    "document.querySelector('#screen img').naturalWidth > 300 && document.querySelector('#panel form label')"
)
# The first tool with an argument.
_UNFOLD = "document.querySelector('#panel form label').closest('details').open = true"


async def main() -> None:
    """Take the screenshot."""
    with tempfile.TemporaryDirectory() as folder, serve_site() as site:
        async with (
            running(Settings()) as runner,
            http_door(runner, Path(folder)) as url,
            Browser.launch() as browser,
        ):
            await work(runner, site)
            tab = await (await browser.new_context()).new_tab()
            await tab.emulation.set_viewport(1280, 800)
            await tab.emulation.set_media(motion="reduce")
            await tab.goto(url)
            await tab.waits.function(_READY)
            await tab.evaluate(_UNFOLD)
            screenshot = await capture(tab, kind="png")
    PICTURES.mkdir(exist_ok=True)
    with Image.open(io.BytesIO(base64.b64decode(screenshot.data))) as image:
        image.convert("RGB").save(PICTURES / "dashboard.png", optimize=True)


async def work(runner: Runner, site: str) -> None:
    """Do what an agent does in the demo shop."""

    async def do(action: str, **args: object) -> None:
        agent = Principal("local:claude-code")
        await runner.run(
            Call(action=action, args=args, principal=agent, session="tea for the office", door="mcp")
        )

    await do("navigate", url=f"{site}/index.html")
    await do("snapshot", interactive_only=True)
    try:
        await do("click", target="text=Add Sencha", timeout=0.3)
    except Blocked:
        await do("click", target="text=Start shopping")
    await do("click", target="text=Add Sencha")
    await do("click", target="text=Add Gunpowder")
    for session in runner.sessions:  # the screenshot shows the top of the page
        await (await session.tab()).session.send("Runtime.evaluate", expression="scrollTo(0, 0)")


if __name__ == "__main__":
    anyio.run(main)
