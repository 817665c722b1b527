"""The command-line flags of browsers that we launch: which ones we set, and which ones a caller may add."""

from tabwright.errors import InvalidArgs

# These change nothing that a page can do. They stop Chrome's own network traffic, prompts and throttling.
QUIET_FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--no-startup-window",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--force-color-profile=srgb",
)
DISABLE_FEATURES = "--disable-features="
ENABLE_FEATURES = "--enable-features="
DISABLED_FEATURES = (
    # A page that is restored or prerendered arrives without the events that every wait relies on.
    "BackForwardCache",
    "Prerender2",
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "DestroyProfileOnBrowserClose",
    "AcceptCHFrame",
    "PaintHolding",
    # Creates a new frame for each document, even on the same site. That costs 10 to 20 % of a navigation, and
    # the first calls to the new page wait until the old one is gone.
    "RenderDocument",
    # The address bar starts a renderer for its suggestions with every window: half the time of a new tab.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
# Tools that pages declare for agents.
WEBMCP_FEATURE = "WebMCP"
# The window size that gives a viewport of 1280 by 720; Chrome's default has the size of a large phone.
HEADLESS_FLAGS = ("--headless=new", "--window-size=1280,807")
# A shell's window is all viewport. Unlike Chrome, it does not give each site its own process by default.
HEADLESS_SHELL_FLAGS = ("--window-size=1280,720", "--site-per-process")
# Close the paths around a proxy: WebRTC and QUIC, which use UDP, and name resolution.
PROXY_ONLY_FLAGS = (
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # In a profile, Chrome's own requests take the same path as its pages'. These get no destination.
    "--gaia-url=http://127.0.0.1:9",
    "--component-updater=url-source=http://127.0.0.1:9/",
)
# These run a program of the caller's choice, write files, or take the browser out of our control.
FORBIDDEN_FLAGS = frozenset(
    {
        "--renderer-cmd-prefix",
        "--utility-cmd-prefix",
        "--gpu-launcher",
        "--ppapi-plugin-launcher",
        "--browser-subprocess-path",
        "--remote-debugging-port",
        "--remote-debugging-pipe",
        "--user-data-dir",
        "--load-extension",
        "--log-net-log",
        "--log-file",
        "--trace-startup-file",
        "--crash-dumps-dir",
    }
)
# These would bypass the proxy that a browser is restricted to.
PROXY_BYPASS_FLAGS = frozenset(
    {
        "--proxy-server",
        "--proxy-bypass-list",
        "--proxy-pac-url",
        "--proxy-auto-detect",
        "--no-proxy-server",
        "--host-resolver-rules",
        "--host-rules",
        "--webrtc-ip-handling-policy",
        "--force-webrtc-ip-handling-policy",
        "--enable-quic",
        "--origin-to-force-quic-on",
        "--webtransport-developer-mode",
    }
)


def check_args(args: tuple[str, ...], *, proxy_only: bool = False) -> tuple[str, ...]:
    """Return the caller's arguments; with `proxy_only`, refuse those that would bypass the proxy as well.

    Raises:
        InvalidArgs: one is not a browser argument, or is not allowed.
    """
    refused = FORBIDDEN_FLAGS | PROXY_BYPASS_FLAGS if proxy_only else FORBIDDEN_FLAGS
    for arg in args:
        if not arg.startswith("--") or len(arg) == 2 or "\0" in arg:
            raise InvalidArgs(
                f"{arg!r} is not a browser argument.", hint="Give arguments such as --window-size=800,600."
            )
        name = arg.partition("=")[0]
        if name.lower() in refused:
            raise InvalidArgs(f"{name} is not allowed here.", hint="Leave it out.")
    return args


def merge_features(args: tuple[str, ...], *, webmcp: bool) -> list[str]:
    """Return our feature lists with the caller's merged in: of two lists Chrome uses only the last."""
    disabled = [*DISABLED_FEATURES, *_features(args, DISABLE_FEATURES)]
    enabled = [*([WEBMCP_FEATURE] if webmcp else []), *_features(args, ENABLE_FEATURES)]
    merged = [DISABLE_FEATURES + ",".join(disabled)]
    return [*merged, ENABLE_FEATURES + ",".join(enabled)] if enabled else merged


def _features(args: tuple[str, ...], flag: str) -> list[str]:
    return [arg.removeprefix(flag) for arg in args if arg.startswith(flag)]
