"""What commands use without a hub: this user's tokens, paired Chromes, profiles, browser and settings."""

from pathlib import Path
from typing import TYPE_CHECKING

from tabwright import app

if TYPE_CHECKING:
    from tabwright.doors.cli.doctor import Check
    from tabwright.policy.callers.chrome_pairing import PairedChromes
    from tabwright.policy.callers.tokens import Tokens
    from tabwright.sessions.profile_transfer import ProfileTransfer


def mover() -> "ProfileTransfer":
    """Return what moves this user's profiles; its maker closes it."""
    from tabwright.home import Home
    from tabwright.profiles.config_file import ProfileFile
    from tabwright.sessions.profile_transfer import ProfileTransfer
    from tabwright.sessions.store import Store
    from tabwright.settings import Settings

    home = Home.find()
    home.prepare()
    file = ProfileFile(home.config_file, home.profiles)
    return ProfileTransfer(file, Store(home.state / "sessions.db"), app.launch_options(Settings.read()))


def tokens() -> "Tokens":
    """Return the tokens of this user."""
    from tabwright.home import Home
    from tabwright.settings import Settings

    return app.stored_tokens(Settings.read(), Home.find())


def chromes() -> "PairedChromes":
    """Return the Chromes that are paired with this user's hub."""
    from tabwright.home import Home

    return app.paired_chromes(Home.find())


def extension_folder() -> Path:
    """Return the folder that Chrome loads the extension from, brought up to date."""
    from tabwright.doors.extension.files import install_extension
    from tabwright.home import Home

    return install_extension(Home.find())


def users_program() -> Path:
    """Return the browser of the user that links open in."""
    from tabwright.browser.process.find import find_browser
    from tabwright.settings import Settings

    return find_browser(Settings.read().browser)


def examined() -> "list[Check]":
    """Look at all that the doctor looks at."""
    import anyio

    from tabwright.browser.process.launch import LaunchOptions
    from tabwright.browser.startup_check import check_startup
    from tabwright.doors.cli.doctor import Chosen, examine
    from tabwright.errors import TabwrightError
    from tabwright.home import Home
    from tabwright.profiles.config_file import ProfileFile

    options, home = LaunchOptions(), Home.find()
    try:
        settings = app.checked_settings()
        options = app.launch_options(settings)
        app.require_closed(settings, home)
    except TabwrightError as error:
        chosen = Chosen(fault=error.message, fix=error.hint)
    else:
        damaged = ProfileFile(home.config_file, home.profiles).damaged()
        chosen = Chosen(settings.api_port, damaged=" ".join(damaged))
    return examine(home, chosen, lambda: anyio.run(check_startup, options))
