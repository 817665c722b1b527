"""A user at their own Chrome with the extension: what they do in it, and what they see."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from tabwright.browser.process.launch import LaunchOptions, launch_process
from tabwright.cdp import CdpError, CdpSession, Connection
from tabwright.doors.extension.files import SHIPPED
from tabwright.doors.extension.server import ExtensionDoor, extension_id
from tabwright.errors import BrowserGone

ORIGIN = f"chrome-extension://{extension_id()}"


@dataclass(frozen=True)
class Page:
    """A page that the user has open, such as one of the extension's own."""

    root: CdpSession
    session: CdpSession
    target: str

    async def run(self, expression: str) -> Any:
        """Run a script in the page; if it fails, the test fails."""
        answer = await self.session.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    async def until(self, expression: str) -> Any:
        """Wait until an expression is true; return its value."""
        script = f"""new Promise((resolve, reject) => {{
            const check = async () => {{
                const value = await ({expression});
                if (value) resolve(value); else setTimeout(() => check().catch(reject), 20);
            }};
            check().catch(reject);
        }})"""
        with anyio.fail_after(60):
            while True:
                with suppress(CdpError):  # the page navigated
                    return await self.run(script)

    async def press(self, key: str, *, alt_shift: bool = False) -> None:
        """Press a key; with Alt and Shift, Chrome itself handles it."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        codes = {"Enter": 13, " ": 32, "Tab": 9, "S": 83, "Y": 89}
        event: dict[str, Any] = {"key": key, "windowsVirtualKeyCode": codes[key]}
        if alt_shift:
            event |= {"code": f"Key{key}", "modifiers": 9, "nativeVirtualKeyCode": codes[key]}
        for kind in ("rawKeyDown" if alt_shift else "keyDown", "keyUp"):
            await self.session.send("Input.dispatchKeyEvent", type=kind, text=text, **event)

    async def close(self) -> None:
        await self.root.send("Target.closeTarget", targetId=self.target)


class Person:
    """The user of one Chrome; `desk` is a page of the extension that stays open in the background."""

    def __init__(self, root: CdpSession, connection: Connection) -> None:
        self.root = root
        self._connection = connection
        self.desk: Page

    async def open_page(self, url: str, *, background: bool = True) -> Page:
        """Open a page in a tab."""
        created = await self.root.send("Target.createTarget", url=url, background=background)
        return await self.attach(created["targetId"])

    async def attach(self, target: str) -> Page:
        answer = await self.root.send("Target.attachToTarget", targetId=target, flatten=True)
        page = Page(self.root, self._connection.session(answer["sessionId"]), target)
        await page.until("document.readyState === 'complete' && location.href !== 'about:blank'")
        return page

    async def send_order(self, order: str, **fields: Any) -> None:
        """Send an order, as the buttons of the extension's pages do."""
        reply = await self.desk.run(f"chrome.runtime.sendMessage({json.dumps({'order': order, **fields})})")
        assert reply == {}, reply

    async def open_tab(self, url: str, *, active: bool = False) -> int:
        """Open a tab, by default in the background; return its id in Chrome once it has loaded."""
        script = f"chrome.tabs.create({json.dumps({'url': url, 'active': active})}).then(tab => tab.id)"
        tab: int = await self.desk.run(script)
        await self.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete')")
        return tab

    async def share_tab(self, url: str, *, active: bool = False) -> int:
        """Open a tab and share it."""
        tab = await self.open_tab(url, active=active)
        await self.send_order("share", tabId=tab)
        return tab

    async def press_toolbar_button(self, tab: int) -> Page:
        """Activate a tab and press the extension's toolbar button; return its popup."""
        url = await self.desk.run(f"chrome.tabs.update({tab}, {{active: true}}).then(tab => tab.url)")
        [target] = [one for one in await self.targets("tab") if one["url"] == url]
        await self.root.send("Extensions.triggerAction", id=extension_id(), targetId=target["targetId"])
        with anyio.fail_after(60):
            while True:
                for one in await self.targets("page"):
                    if one["url"] == f"{ORIGIN}/ui/popup.html":
                        return await self.attach(one["targetId"])

    async def close_tabs(self, *tabs: int) -> None:
        await self.desk.run(f"chrome.tabs.remove({json.dumps(tabs)})")

    async def pair_with(self, door: ExtensionDoor, name: str = "") -> None:
        """Pair this Chrome with a hub."""
        port, code = await door.listen(), door.chromes.begin(name)
        await self.send_order("pair", port=port, first=port, code=code.secret)

    async def stop_worker(self) -> None:
        """Make Chrome stop the extension's worker, as it does with an idle one."""
        [worker] = [one for one in await self.targets("service_worker") if one["url"].startswith(ORIGIN)]
        await self.root.send("Target.closeTarget", targetId=worker["targetId"])

    async def open_desk(self) -> None:
        """Open the desk."""
        self.desk = await self.open_page(f"{ORIGIN}/ui/options.html")

    async def close_desk(self) -> None:
        """Leave the extension's page: while one is open, the worker stays alive."""
        await self.desk.run("location.replace('about:blank')")
        with anyio.fail_after(60):
            while any(page["url"].startswith(ORIGIN) for page in await self.targets("page")):
                await anyio.lowlevel.checkpoint()

    async def reset(self) -> None:
        """Close all tabs but the desk, and reset all choices."""
        await self.desk.run(
            """(async () => {
                const mine = await chrome.tabs.getCurrent();
                const others = (await chrome.tabs.query({})).filter(tab => tab.id !== mine.id);
                await Promise.all(others.map(tab => chrome.tabs.remove(tab.id).catch(() => {}))); // one may close itself
                const { excluded = [] } = await chrome.storage.local.get("excluded");
                for (const site of excluded) await chrome.runtime.sendMessage({ order: "include", site });
                await chrome.runtime.sendMessage({ order: "unshareWindow", windowId: mine.windowId });
                await chrome.runtime.sendMessage({ order: "start" });
            })()"""
        )

    async def targets(self, kind: str) -> list[dict[str, Any]]:
        answer = await self.root.send("Target.getTargets", filter=[{}])
        return [target for target in answer["targetInfos"] if target["type"] == kind]


@asynccontextmanager
async def launch_user_chrome(folder: Path = SHIPPED, profile: Path | None = None) -> AsyncIterator[Person]:
    """Run a Chrome with the extension while the block runs."""
    async with launch_plain_chrome(profile) as person:
        await person.root.send("Extensions.loadUnpacked", path=str(folder))
        await person.open_desk()
        yield person


@asynccontextmanager
async def launch_plain_chrome(profile: Path | None = None) -> AsyncIterator[Person]:
    """Run a Chrome without extensions, and without a desk, while the block runs."""
    async with (
        launch_process(LaunchOptions(webmcp=False, shell=False, profile=profile)) as process,
        Connection.open(process.transport, lost=BrowserGone) as connection,
    ):
        yield Person(connection.root, connection)
