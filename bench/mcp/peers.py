"""The servers: ours, and those that npm installs for development. All use the same installed browser."""

import json
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.mcp.client import ServerFailed, tool_call
from bench.mcp.peer import Peer, installed_version
from bench.peer import HEIGHT, WIDTH
from tabwright import __version__

OURS = "tabwright"
PLAYWRIGHT = "@playwright/mcp"
DEVTOOLS = "chrome-devtools-mcp"
AGENT_BROWSER = "agent-browser"

_WINDOW = f"--window-size={WIDTH},{HEIGHT}"


def all_peers(browser: Path, modules: Path) -> Iterator[Peer | tuple[str, ServerFailed]]:
    """Yield each server, or the name of one that is not installed and the reason."""
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
            # The benchmark reads variables of the page.
            "TABWRIGHT_SECURITY__BLOCK_EVAL": "false",
        }

    return Peer(
        name=OURS,
        version=__version__,
        command=(sys.executable, "-m", "tabwright", "mcp"),
        environment=environment,
        idle=tool_call("browser_tabs"),
        navigate=tool_call("browser_navigate", url="{url}"),
        snapshot=tool_call("browser_snapshot"),
        whole=tool_call("browser_more", action="snapshot", args={"max_tokens": 100_000}),
        click=tool_call("browser_click", selector="{ref}"),
        fill=tool_call("browser_fill", selector="{ref}", value="{text}"),
        step=(tool_call("browser_click", selector="{ref}"),),
        screenshot=tool_call("browser_screenshot", includeAccessibilityTree=False),
        evaluate=tool_call("browser_evaluate", script="{script}"),
        refs=r'(@e\d+): {role} "{name}"',
    )


def _playwright(browser: Path, modules: Path) -> Peer:
    options = ("--headless", "--isolated", "--no-sandbox", "--executable-path", str(browser))
    click, snapshot = tool_call("browser_click", target="{ref}"), tool_call("browser_snapshot")
    return Peer(
        name=PLAYWRIGHT,
        version=installed_version(modules, PLAYWRIGHT),
        command=("node", str(modules / PLAYWRIGHT / "cli.js"), *options, f"--viewport-size={WIDTH}x{HEIGHT}"),
        environment=lambda _: {},
        idle=tool_call("browser_network_requests", static=False),
        navigate=tool_call("browser_navigate", url="{url}"),
        snapshot=snapshot,
        whole=snapshot,
        click=click,
        fill=tool_call("browser_type", target="{ref}", text="{text}"),
        step=(click, snapshot),
        screenshot=tool_call("browser_take_screenshot", type="jpeg"),
        evaluate=tool_call("browser_evaluate", function="() => {script}"),
        refs=r'{role} "{name}".*?\[ref=(\w+)\]',
    )


def _devtools(browser: Path, modules: Path) -> Peer:
    program = modules / DEVTOOLS / "build/src/bin/chrome-devtools-mcp.js"
    options = ("--headless", "--isolated", "--chromeArg=--no-sandbox", "--executablePath", str(browser))
    quiet = ("--no-usage-statistics", "--no-performance-crux")
    snapshot = tool_call("take_snapshot", pageId=1)
    return Peer(
        name=DEVTOOLS,
        version=installed_version(modules, DEVTOOLS),
        command=("node", str(program), *options, *quiet, f"--viewport={WIDTH}x{HEIGHT}"),
        environment=lambda _: {},
        idle=tool_call("list_pages"),
        navigate=tool_call("navigate_page", pageId=1, type="url", url="{url}"),
        snapshot=snapshot,
        whole=snapshot,
        click=tool_call("click", pageId=1, uid="{ref}"),
        fill=tool_call("fill", pageId=1, uid="{ref}", value="{text}"),
        step=(tool_call("click", pageId=1, uid="{ref}", includeSnapshot=True),),
        screenshot=tool_call("take_screenshot", pageId=1, format="jpeg"),
        evaluate=tool_call("evaluate_script", pageId=1, function="() => {script}"),
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
    click = tool_call("agent_browser_click", selector="@{ref}")
    return Peer(
        name=AGENT_BROWSER,
        version=installed_version(modules, AGENT_BROWSER),
        command=(str(modules / AGENT_BROWSER / "bin" / f"agent-browser-{system}-{kind}"), "mcp"),
        environment=environment,
        idle=tool_call("agent_browser_get_url"),
        navigate=tool_call("agent_browser_open", url="{url}"),
        snapshot=tool_call("agent_browser_snapshot"),
        whole=tool_call("agent_browser_snapshot", interactive=False),
        click=click,
        fill=tool_call("agent_browser_fill", selector="@{ref}", text="{text}"),
        step=(click, tool_call("agent_browser_snapshot", interactive=False, delta=True)),
        screenshot=tool_call("agent_browser_screenshot", format="jpeg"),
        evaluate=tool_call("agent_browser_eval", script="{script}"),
        refs=r'{role} "{name}".*?ref=(\w+)',
    )
