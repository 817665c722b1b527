"""The servers: ours, and those that npm brings for development. All drive the browser of this computer."""

import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.mcp.client import ServerFailed, use
from bench.mcp.peer import Peer, installed
from bench.peer import HEIGHT, WIDTH
from tabwright import __version__

OURS = "tabwright"
PLAYWRIGHT = "@playwright/mcp"
DEVTOOLS = "chrome-devtools-mcp"
AGENT_BROWSER = "agent-browser"

_WINDOW = f"--window-size={WIDTH},{HEIGHT}"


def all_peers(browser: Path, modules: Path) -> Iterator[Peer | tuple[str, ServerFailed]]:
    """Yield each server, or the name of one that is not here and why."""
    makers: dict[str, Callable[[Path, Path], Peer]] = {
        PLAYWRIGHT: _playwright,
        DEVTOOLS: _devtools,
        AGENT_BROWSER: _agent_browser,
    }
    yield _tabwright(browser)
    for name, make in makers.items():
        try:
            yield make(browser, modules)
        except ServerFailed as failure:
            yield name, failure


def _tabwright(browser: Path) -> Peer:
    def environment(folder: Path) -> dict[str, str]:
        return {
            "TABWRIGHT_HOME": str(folder),
            "TABWRIGHT_API_PORT": "0",
            "TABWRIGHT_BROWSER": str(browser),
            "TABWRIGHT_BROWSER_ARGS": json.dumps([_WINDOW]),
            # What the page counted is read where the page keeps it.
            "TABWRIGHT_SECURITY__BLOCK_EVAL": "false",
        }

    return Peer(
        name=OURS,
        version=__version__,
        command=(sys.executable, "-m", "tabwright", "mcp"),
        environment=environment,
        idle=use("browser_tabs"),
        navigate=use("browser_navigate", url="{url}"),
        snapshot=use("browser_snapshot"),
        whole=use("browser_more", action="snapshot", args={"max_tokens": 100_000}),
        click=use("browser_click", selector="{ref}"),
        fill=use("browser_fill", selector="{ref}", value="{text}"),
        step=(use("browser_click", selector="{ref}"),),
        screenshot=use("browser_screenshot", includeAccessibilityTree=False),
        evaluate=use("browser_evaluate", script="{script}"),
        refs=r'(@e\d+): {role} "{name}"',
    )


def _playwright(browser: Path, modules: Path) -> Peer:
    options = ("--headless", "--isolated", "--no-sandbox", "--executable-path", str(browser))
    click, snapshot = use("browser_click", target="{ref}"), use("browser_snapshot")
    return Peer(
        name=PLAYWRIGHT,
        version=installed(modules, PLAYWRIGHT),
        command=("node", str(modules / PLAYWRIGHT / "cli.js"), *options, f"--viewport-size={WIDTH}x{HEIGHT}"),
        environment=lambda _: {},
        idle=use("browser_network_requests", static=False),
        navigate=use("browser_navigate", url="{url}"),
        snapshot=snapshot,
        whole=snapshot,
        click=click,
        fill=use("browser_type", target="{ref}", text="{text}"),
        step=(click, snapshot),
        screenshot=use("browser_take_screenshot", type="jpeg"),
        evaluate=use("browser_evaluate", function="() => {script}"),
        refs=r'{role} "{name}".*?\[ref=(\w+)\]',
    )


def _devtools(browser: Path, modules: Path) -> Peer:
    program = modules / DEVTOOLS / "build/src/bin/chrome-devtools-mcp.js"
    options = ("--headless", "--isolated", "--chromeArg=--no-sandbox", "--executablePath", str(browser))
    quiet = ("--no-usage-statistics", "--no-performance-crux")
    snapshot = use("take_snapshot", pageId=1)
    return Peer(
        name=DEVTOOLS,
        version=installed(modules, DEVTOOLS),
        command=("node", str(program), *options, *quiet, f"--viewport={WIDTH}x{HEIGHT}"),
        environment=lambda _: {},
        idle=use("list_pages"),
        navigate=use("navigate_page", pageId=1, type="url", url="{url}"),
        snapshot=snapshot,
        whole=snapshot,
        click=use("click", pageId=1, uid="{ref}"),
        fill=use("fill", pageId=1, uid="{ref}", value="{text}"),
        step=(use("click", pageId=1, uid="{ref}", includeSnapshot=True),),
        screenshot=use("take_screenshot", pageId=1, format="jpeg"),
        evaluate=use("evaluate_script", pageId=1, function="() => {script}"),
        refs=r'uid=(\S+) {role} "{name}"',
    )


def _agent_browser(browser: Path, modules: Path) -> Peer:
    def environment(folder: Path) -> dict[str, str]:
        return {
            "AGENT_BROWSER_EXECUTABLE_PATH": str(browser),
            "AGENT_BROWSER_ARGS": f"--no-sandbox\n{_WINDOW}",
            "AGENT_BROWSER_SESSION": folder.name,
        }

    # The program itself, as a global installation links it; the npm wrapper would start Node first.
    system = {"Linux": "linux", "Darwin": "darwin"}[platform.system()]
    kind = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}[platform.machine()]
    click = use("agent_browser_click", selector="@{ref}")
    return Peer(
        name=AGENT_BROWSER,
        version=installed(modules, AGENT_BROWSER),
        command=(str(modules / AGENT_BROWSER / "bin" / f"agent-browser-{system}-{kind}"), "mcp"),
        environment=environment,
        idle=use("agent_browser_get_url"),
        navigate=use("agent_browser_open", url="{url}"),
        snapshot=use("agent_browser_snapshot"),
        whole=use("agent_browser_snapshot", interactive=False),
        click=click,
        fill=use("agent_browser_fill", selector="@{ref}", text="{text}"),
        step=(click, use("agent_browser_snapshot", interactive=False, delta=True)),
        screenshot=use("agent_browser_screenshot", format="jpeg"),
        evaluate=use("agent_browser_eval", script="{script}"),
        refs=r'{role} "{name}".*?ref=(\w+)',
    )
