"""What commands use without a hub: this user's tokens, paired Chromes, profiles, browser and settings."""

from pathlib import Path
from typing import TYPE_CHECKING

from tabwright import app

if TYPE_CHECKING:
    from tabwright.doors.cli.doctor import Check
    from tabwright.policy.callers.chrome_pairing import PairedChromes
    from tabwright.policy.callers.tokens import Tokens
    from tabwright.sessions.profile_transfer import ProfileTransfer


def open_profile_transfer() -> "ProfileTransfer":
    """Open the export and import of this user's profiles; the caller closes it."""
    from tabwright.home import Home
    from tabwright.profiles.config_file import ProfileFile
    from tabwright.sessions.profile_transfer import ProfileTransfer
    from tabwright.sessions.store import Store
    from tabwright.settings import Settings

    home = Home.find()
    home.prepare()
    settings = Settings.read()
    file = ProfileFile(home.config_file, home.profiles, settings.security.allowed_proxies)
    return ProfileTransfer(file, Store(home.state / "sessions.db"), app.launch_options(settings))


def tokens() -> "Tokens":
    """Return the tokens of this user."""
    from tabwright.home import Home
    from tabwright.settings import Settings

    return app.stored_tokens(Settings.read(), Home.find())


def mcp_url() -> str:
    """Return the URL of MCP over HTTP, for clients on this computer.

    Raises:
        InvalidArgs: HTTP is off, or its port differs with each start of the hub.
    """
    from tabwright.errors import InvalidArgs

    settings = app.read_settings()
    if not isinstance(settings.api_port, int) or settings.api_port == 0:
        why = "HTTP is off" if settings.api_port == 0 else "The port differs with each start of the hub"
        raise InvalidArgs(f"{why}: api_port is {settings.api_port}.", hint="Set api_port to a port.")
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.bind, settings.bind)  # noqa: S104 - not to bind to
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.api_port}/mcp"


def chromes() -> "PairedChromes":
    """Return the Chromes that are paired with this user's hub."""
    from tabwright.home import Home

    return app.paired_chromes(Home.find())


def extension_folder() -> Path:
    """Update the folder that Chrome loads the extension from; return it."""
    from tabwright.doors.extension.files import install_extension
    from tabwright.home import Home

    return install_extension(Home.find())


def user_browser_path() -> Path:
    """Return the path of the user's browser, which opens links."""
    from tabwright.browser.process.find import find_browser
    from tabwright.home import Home
    from tabwright.settings import Settings

    return find_browser(Settings.read().browser, downloads=Home.find().browsers)


def run_doctor() -> "list[Check]":
    """Run the checks of `tabwright doctor`."""
    import anyio

    from tabwright.browser.process.launch import LaunchOptions
    from tabwright.browser.startup_check import check_startup
    from tabwright.doors.cli.doctor import Chosen, examine
    from tabwright.errors import TabwrightError
    from tabwright.home import Home
    from tabwright.policy.settings_check import find_warnings
    from tabwright.profiles.config_file import ProfileFile

    options, home = LaunchOptions(), Home.find()
    try:
        settings = app.read_settings()
        options = app.launch_options(settings)
        app.require_token_if_public(settings, home)
        tuple(app.stored_tokens(settings, home))  # raises if nobody could use them
    except TabwrightError as error:
        chosen = Chosen(fault=error.message, fix=error.hint)
    else:
        damaged = ProfileFile(home.config_file, home.profiles).damaged()
        warnings = [*damaged, *find_warnings(settings, home.config_file)]
        chosen = Chosen(settings.api_port, damaged=" ".join(warnings))
    return examine(home, chosen, lambda: anyio.run(check_startup, options))
