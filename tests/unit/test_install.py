"""Getting a browser, from stand-ins for the package managers: real programs on a path of the test's own."""

from pathlib import Path

import pytest

from tabwright.browser.install import install_browser
from tabwright.errors import NotFound
from tests.programs import bare_path, package_manager, program

pytestmark = pytest.mark.anyio


class Heard:
    """Hears what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    async def __call__(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found; what a script needs is in it, a browser is not."""
    monkeypatch.setenv("PATH", bare_path(tmp_path))
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return tmp_path


async def test_a_browser_that_is_there_is_left_alone(programs: Path) -> None:
    program(programs, "apt-get", "exit 1")
    chromium = program(programs, "chromium", "exit 0")
    assert await install_browser(Heard()) == chromium


async def test_the_package_manager_brings_one_and_is_heard(programs: Path) -> None:
    package_manager(programs)
    heard = Heard()
    assert await install_browser(heard) == programs / "chromium"
    assert heard.lines == ["update", "install", "10%", "90%", "install", "10%", "90%"]


async def test_a_headless_shell_that_the_package_manager_does_not_know_is_done_without(
    programs: Path,
) -> None:
    unknown = '[ "$4" = chromium-headless-shell ] && echo no such package && exit 100'
    program(programs, "apt-get", f"{unknown}; cp {programs}/apt-get {programs}/chromium")
    heard = Heard()
    assert await install_browser(heard) == programs / "chromium"
    assert heard.lines == ["no such package"]


async def test_the_last_words_of_a_package_manager_that_fails_are_told(programs: Path) -> None:
    program(programs, "dnf", "echo No route to the mirror; exit 3")
    with pytest.raises(NotFound) as caught:
        await install_browser(Heard())
    assert caught.value.message == "dnf install -y chromium failed: No route to the mirror"


async def test_without_a_package_manager_a_person_is_told_what_to_do(programs: Path) -> None:
    with pytest.raises(NotFound, match="no package manager that we know") as caught:
        await install_browser(Heard())
    assert "apt install chromium" in caught.value.hint
