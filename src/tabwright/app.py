"""The composition root: reads the settings, wires all parts, and imports and opens only one door."""

import gc
import logging
import math
import os
import resource
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    nullcontext,
)
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tabwright.action import Catalog
    from tabwright.browser.process.launch import LaunchOptions
    from tabwright.browser.user_chrome.links import ExtensionLinks
    from tabwright.dialects.alias_table import PictureLimits
    from tabwright.dialects.registry import Dialects
    from tabwright.doors.http.app import BindAddress
    from tabwright.doors.mcp.door import McpDoor
    from tabwright.doors.mcp.lazy import LazyMcp
    from tabwright.home import Home
    from tabwright.policy.callers.chrome_pairing import PairedChromes
    from tabwright.policy.callers.http_auth import HttpAuth
    from tabwright.policy.callers.rate_limit import RateLimit
    from tabwright.policy.callers.tokens import Tokens
    from tabwright.policy.network.boundary import Boundary
    from tabwright.policy.network.own_ports import OwnPorts
    from tabwright.profiles.browsers import Profiles
    from tabwright.runner import Runner
    from tabwright.sessions.user_browser import UserBrowser
    from tabwright.settings import Settings


# The port of `tabwright mcp` with transport = "http", unless http_port is set.
_HTTP_PORT = 8081


def serves_http() -> bool:
    """Whether `tabwright mcp` serves HTTP instead of standard input and output."""
    from tabwright.settings import Settings

    return Settings.read().transport == "http"


def run_hub(
    ready_fd: int | None, *, keep_running: bool = False, on_ready: Callable[[], None] | None = None
) -> int:
    """Run the hub in the foreground until it is stopped or has been idle for too long.

    Args:
        ready_fd: closed once clients can connect.
        keep_running: whether it keeps running while it is idle.
        on_ready: called once clients can connect.

    Raises:
        InvalidArgs: a setting is invalid.
        Denied: it would listen for other computers without requiring a token.
    """
    gc.disable()  # until it listens
    import anyio

    from tabwright.home import Home
    from tabwright.policy.settings_check import find_warnings

    settings, home = read_settings(), Home.find()
    require_token_if_public(settings, home)

    def ready() -> None:
        gc.freeze()  # everything allocated so far is needed until the hub exits
        gc.enable()
        if on_ready is not None:
            on_ready()
        if ready_fd is not None:
            os.close(ready_fd)

    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    # Many systems allow 256 or 1,024 open files by default; a thousand clients need more.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8_192 if hard == resource.RLIM_INFINITY else min(hard, 8_192)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    for warning in find_warnings(settings, home.config_file):
        logging.getLogger(__name__).warning("%s", warning)
    # At INFO the SDK logs the ids of MCP sessions, and an id is enough to use a session.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    anyio.run(_run_hub, settings, home, ready, keep_running)
    return 0


async def _run_hub(settings: "Settings", home: "Home", ready: Callable[[], None], keep_running: bool) -> None:
    from tabwright.browser.user_chrome.links import ExtensionLinks
    from tabwright.doors.extension.files import update_extension
    from tabwright.doors.extension.pairing_door import PairingDoor
    from tabwright.doors.extension.server import ExtensionDoor
    from tabwright.doors.hub.call_door import CallDoor
    from tabwright.doors.hub.socket import Hub
    from tabwright.doors.mcp.lazy import LazyMcp

    update_extension(home)
    chromes = paired_chromes(home)
    links = ExtensionLinks(chromes.names)
    async with stop_on_signals(), running(settings, home, links) as runner:
        dialects, calls = _dialects(runner.catalog, settings), CallDoor(runner)
        mcp = LazyMcp(lambda: mcp_door(runner, settings, dialects))
        extension = ExtensionDoor(chromes, links, ports=runner.ports)
        idle_seconds = math.inf if keep_running else settings.hub_idle_seconds
        doors = {"mcp": mcp.serve, "call": calls.serve, "extension": PairingDoor(extension).serve}
        hub = Hub(home, doors, dialects.refusal, idle_seconds=idle_seconds)
        async with (
            http_door(
                runner,
                mcp,
                home,
                hub.in_use,
                _http_auth(settings, home, runner.rate_limit),
                port=settings.api_port,
                address=_bind_address(settings),
                sse=settings.sse,
                limits=_picture_limits(settings),
                bare=settings.browsion_answers,
            ),
            extension.open(settings.extension_port),
        ):
            await hub.serve(ready)


@asynccontextmanager
async def http_door(
    runner: "Runner",
    mcp: "LazyMcp",
    home: "Home",
    in_use: Callable[[], AbstractContextManager[None]] = nullcontext,
    auth: "HttpAuth | None" = None,
    *,
    port: 'int | Literal["any"]' = "any",
    address: "BindAddress | None" = None,
    sse: bool = False,
    limits: "PictureLimits | None" = None,
    bare: bool = False,
) -> AsyncIterator[str | None]:
    """Serve REST, MCP and the dashboard over HTTP while the block runs; yield its URL, or None."""
    from tabwright.doors.dashboard.routes import Dashboard
    from tabwright.doors.http.app import HttpDoor
    from tabwright.doors.mcp.lazy import McpRoutes

    mcp_routes = McpRoutes(mcp, runner, sse=sse)
    routes = [*Dashboard(runner).routes, *mcp_routes.routes]
    door = HttpDoor(runner, home, in_use, auth, routes=routes, limits=limits, bare=bare)
    async with mcp_routes.run(), door.open(port, address) as url:
        yield url


def read_settings() -> "Settings":
    """Read the settings and check them.

    Raises:
        InvalidArgs: a setting is invalid.
    """
    from tabwright.actions import CATALOG
    from tabwright.policy.settings_check import require_valid
    from tabwright.settings import Settings

    settings = Settings.read()
    require_valid(settings, CATALOG)
    _dialects(CATALOG, settings)
    return settings


def require_token_if_public(settings: "Settings", home: "Home") -> None:
    """Refuse to listen for other computers without requiring a token."""
    if _bind_address(settings).is_public:
        _http_auth(settings, home).require_token(settings.bind)


def run_embedded(options: dict[str, str]) -> int:
    """Serve one MCP client on standard input and output, without a hub; return the exit code."""
    import anyio

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    return anyio.run(_run_embedded, read_settings(), options)


async def _run_embedded(settings: "Settings", options: dict[str, str]) -> int:
    from tabwright.doors.mcp.embedded import own_stdio
    from tabwright.doors.wire.handshake import complain
    from tabwright.home import Home
    from tabwright.policy.callers.principal import Principal

    principal, home = Principal.here("local:client", Path.cwd()), Home.find()
    home.prepare()
    async with stop_on_signals(), running(settings, home) as runner:
        dialects = _dialects(runner.catalog, settings)
        if reason := dialects.refusal(options):
            complain(reason)
            return 1
        door = mcp_door(runner, settings, dialects)
        async with own_stdio() as stream:
            await door.serve(stream, principal, options=options)
    return 0


def mcp_door(runner: "Runner", settings: "Settings", dialects: "Dialects | None" = None) -> "McpDoor":
    """Make the MCP door with the dialects that the settings choose."""
    with _pause_gc():
        from tabwright.doors.mcp.door import McpDoor

    choose = (dialects or _dialects(runner.catalog, settings)).choose
    follow, manage = settings.follow_user, settings.security.manage
    return McpDoor(runner, choose({}), choose, follow_user=follow, manage=manage)


@contextmanager
def _pause_gc() -> Iterator[None]:
    """Switch the garbage collector off during imports: it takes a fifth of their time (measured)."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _dialects(catalog: "Catalog", settings: "Settings") -> "Dialects":
    from tabwright.dialects.registry import Dialects

    dialects = Dialects(
        catalog,
        default=settings.dialect,
        dotted=settings.tool_names == "dotted",
        limits=_picture_limits(settings),
    )
    dialects.choose({})  # report an unknown dialect now, not to the first client
    return dialects


def _picture_limits(settings: "Settings") -> "PictureLimits":
    """Return the size limits of screenshots."""
    from tabwright.dialects.alias_table import PictureLimits

    return PictureLimits(settings.screenshots.max_side, settings.screenshots.max_bytes)


@asynccontextmanager
async def running(
    settings: "Settings", home: "Home | None" = None, links: "ExtensionLinks | None" = None
) -> "AsyncIterator[Runner]":
    """Wire the engine, the sessions and the runner while the block runs; without a home, nothing is stored.

    Sessions may join the user's Chromes that the extension connects through `links`.
    """
    from tabwright.actions import CATALOG
    from tabwright.artifacts import Artifacts
    from tabwright.browser.supervisor import BrowserSupervisor
    from tabwright.policy.callers.approvals import Approvals
    from tabwright.policy.callers.audit_log import AuditLog
    from tabwright.policy.data.file_access import Files
    from tabwright.policy.data.script_reach import Scripts
    from tabwright.policy.data.secret_store import Secrets
    from tabwright.policy.data.secret_typing import SecretTyping
    from tabwright.runner import Runner
    from tabwright.sessions.limits import Limits
    from tabwright.sessions.registry import Sessions
    from tabwright.sessions.store import Store

    chosen = settings.sessions
    limits = Limits(
        chosen.max_concurrent,
        chosen.timeout_minutes * 60,
        chosen.allow_shared,
        settings.files.max_download_mb * 1024 * 1024,
        chosen.reconnect_seconds,
    )
    ports, max_age = _own_ports(settings), chosen.keep_days * 24 * 60 * 60
    store = Store(home.state / "sessions.db", max_age) if home is not None else None
    async with (
        _boundary(settings, ports) as boundary,
        BrowserSupervisor.open(launch_options(settings), boundary) as supervisor,
        _profiles(settings, home, boundary) as profiles,
        _users_browser(settings, links, ports) as users,
        Sessions.open(
            supervisor,
            limits,
            store,
            home and home.downloads,
            profiles,
            users=users,
            recipes=home and home.recipes,
        ) as sessions,
    ):
        yield Runner(
            CATALOG,
            sessions,
            Artifacts(),
            max_tokens=settings.max_tokens,
            rate_limit=_rate_limit(settings),
            audit=AuditLog(home.audit) if home is not None else None,
            secrets=SecretTyping(Secrets(home.secrets if home is not None else None)),
            files=Files(settings.files.folders),
            scripts=Scripts(block_eval=settings.security.block_eval),
            approvals=Approvals(settings.security.confirm),
            ports=ports,
        )


@asynccontextmanager
async def stop_on_signals() -> AsyncIterator[None]:
    """Cancel the block on SIGTERM and SIGINT, so that everything is cleaned up."""
    import anyio

    async with anyio.create_task_group() as group:

        async def watch() -> None:
            with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
                async for _ in signals:
                    group.cancel_scope.cancel()
                    return

        group.start_soon(watch)
        yield
        group.cancel_scope.cancel()


def _own_ports(settings: "Settings") -> "OwnPorts":
    """Return the ports of this user's hub, which may be another process; doors add the ports they open."""
    from tabwright.policy.network.own_ports import OwnPorts

    return OwnPorts(
        port for port in (settings.api_port, settings.http_port) if isinstance(port, int) and port
    )


def _boundary(settings: "Settings", ports: "OwnPorts") -> "AbstractAsyncContextManager[Boundary]":
    """Return the network boundary of all sessions; it connects through the user's proxy, if one is set."""
    from tabwright.policy.network.boundary import Boundary
    from tabwright.policy.network.dialer import Dialer
    from tabwright.policy.network.environment_proxies import upstream_of
    from tabwright.policy.network.url_rules import UrlRules

    upstream = upstream_of(settings.proxy)
    rules = UrlRules(settings.security.allowed_url_patterns, ports)
    return Boundary.open(rules, Dialer(upstream))


@asynccontextmanager
async def _profiles(
    settings: "Settings", home: "Home | None", boundary: "Boundary"
) -> "AsyncIterator[Profiles | None]":
    """Open the user's profiles; each uses the boundary, with the profile's own proxy."""
    if home is None:
        yield None
        return
    from tabwright.policy.network.upstream_proxy import UpstreamProxy
    from tabwright.profiles.browsers import Profiles
    from tabwright.profiles.config_file import ProfileFile

    def boundary_for(proxy: str) -> "Boundary":
        return boundary.behind(UpstreamProxy.parse(proxy)) if proxy else boundary

    file = ProfileFile(home.config_file, home.profiles, settings.security.allowed_proxies)
    async with Profiles.open(file, launch_options(settings), boundary_for) as profiles:
        yield profiles


def _users_browser(
    settings: "Settings", links: "ExtensionLinks | None", ports: "OwnPorts"
) -> "AbstractAsyncContextManager[UserBrowser]":
    """Return the user's own browser, reached in the ways that the settings allow."""
    from tabwright.browser.user_chrome.debug_ports import find_debug_ports
    from tabwright.policy.network.url_rules import UrlRules
    from tabwright.policy.network.user_chrome_guard import GuestGate
    from tabwright.sessions.user_browser import UserBrowser, Ways

    rules = UrlRules(settings.security.allowed_url_patterns, ports)
    match settings.attach:
        case "auto":
            ways = Ways(links, find_debug_ports)
        case "extension":
            ways = Ways(links)
        case "none":
            ways = Ways(disabled=True)
        case address:
            ways = Ways(addresses=lambda: (address,))
    return UserBrowser.open(ways, lambda: GuestGate(rules))


def launch_options(settings: "Settings") -> "LaunchOptions":
    """Return the options to launch browsers with."""
    from tabwright.browser.process.launch import LaunchOptions

    return LaunchOptions(
        executable=settings.browser,
        headless=settings.headless,
        shell=settings.headless_shell,
        proxy=settings.proxy,
        language=settings.language,
        timezone=settings.timezone,
        args=settings.browser_args,
        page_bytes=settings.max_page_mb * 1024 * 1024,
        webmcp=settings.webmcp,
    )


def stored_tokens(settings: "Settings", home: "Home") -> "Tokens":
    """Return the tokens that this user created."""
    from tabwright.policy.callers.tokens import Tokens

    # A user who names a file expects that tokens are required, even if the file is not there.
    named = settings.auth.token_file
    return Tokens(named or home.config / "tokens.json", required=named is not None)


def paired_chromes(home: "Home") -> "PairedChromes":
    """Return the Chromes that this user paired."""
    from tabwright.policy.callers.chrome_pairing import PairedChromes

    return PairedChromes(home.config / "chromes.json")


def _bind_address(settings: "Settings") -> "BindAddress":
    from tabwright.doors.http.app import BindAddress

    default_port = _HTTP_PORT if settings.transport == "http" else None
    return BindAddress(settings.bind, settings.http_port or default_port, settings.hosts)


def _http_auth(settings: "Settings", home: "Home", rate_limit: "RateLimit | None" = None) -> "HttpAuth":
    from tabwright.policy.callers.http_auth import HttpAuth

    key = settings.auth.api_key.get_secret_value() if settings.auth.api_key else ""
    return HttpAuth(stored_tokens(settings, home), settings.auth.type, key=key, limit=rate_limit)


def _rate_limit(settings: "Settings") -> "RateLimit":
    from tabwright.policy.callers.rate_limit import RateLimit

    return RateLimit(settings.calls_per_second, int(settings.calls_per_second * 20) or 1)
