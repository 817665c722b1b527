"""Prints the path of the browser for the tests and `make run`, after installing one if there is none."""

import sys
from functools import partial

import anyio

from tabwright.browser.process.chrome_for_testing import VERSIONS_URL
from tabwright.browser.process.find import HEADLESS_SHELL_PATHS
from tabwright.browser.process.install import install_browser
from tabwright.errors import TabwrightError
from tabwright.home import Home
from tabwright.settings import Settings


async def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main(versions_url: str = VERSIONS_URL) -> None:
    """Print where the browser is; on failure, exit with the reason."""
    try:
        settings = Settings.read()
        paths = HEADLESS_SHELL_PATHS if settings.headless_shell else None
        install = partial(
            install_browser,
            _report,
            settings.browser,
            downloads=Home.find().browsers,
            versions_url=versions_url,
            shell_paths=paths,
        )
        sys.stdout.write(f"{anyio.run(install)}\n")
    except TabwrightError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
