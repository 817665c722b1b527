"""`tabwright extension`: from the folder to a paired Chrome and back."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from tabwright.doors.extension.files import SHIPPED
from tabwright.home import Home
from tests.doors.cli.shell import PROGRAM, Ran, Shell
from tests.extension.person import Person


@pytest.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    home = Home(tmp_path / "home", tmp_path / "home")
    shell = Shell(tmp_path, home, {"TABWRIGHT_EXTENSION_PORT": "any"})
    yield shell
    await shell.run("hub", "stop")


async def test_the_shell_prints_the_extension_folder_and_pairs_a_chrome(shell: Shell, person: Person) -> None:
    folder = shell.home.state / "extension"
    printed = await shell.run("extension")
    assert printed.out.splitlines() == [
        f"The extension is in {folder}",
        "",
        "To load it into Chrome, Edge, Brave or Chromium, once:",
        '  1. Open chrome://extensions and switch on "Developer mode".',
        '  2. Press "Load unpacked" and choose the folder above (paste its path: Ctrl+L, on a Mac Cmd+Shift+G).',
        "  3. tabwright extension pair",
        "",
        "No Chrome is paired.",
    ]
    shipped = sorted(path.relative_to(SHIPPED) for path in SHIPPED.rglob("*"))
    assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == shipped
    (folder / "worker" / "allowed_commands.js").write_text("tampered")

    command = [*PROGRAM, "extension", "pair", "work", "--link", "--json"]
    async with await anyio.open_process(command, cwd=shell.folder, env=shell.environment) as pairing:
        assert pairing.stdout is not None
        lines = BufferedByteReceiveStream(pairing.stdout)
        with anyio.fail_after(60):
            link = json.loads(await lines.receive_until(b"\n", 1_000))["link"]
            page = await person.open_page(link)
            await page.run("document.querySelector('#pair').click()")
            assert json.loads(await lines.receive_until(b"\n", 1_000)) == {"paired": "work"}
            await page.close()
    assert pairing.returncode == 0
    assert (folder / "worker" / "allowed_commands.js").read_bytes() == (
        SHIPPED / "worker" / "allowed_commands.js"
    ).read_bytes()

    [chrome] = json.loads((await shell.run("extension", "list", "--json")).out)
    assert (chrome["name"], chrome["connected"]) == ("work", True)
    duplicate = await shell.run("extension", "pair", "work")
    hint = "Choose another name, or first run: tabwright extension unpair work"
    assert duplicate == Ran(2, "", f"InvalidArgs: A Chrome is called work already.\n{hint}\n")
    assert await shell.run("extension", "unpair", "work") == Ran(0, "work is no longer paired.\n", "")
    await person.desk.until("chrome.storage.local.get('hub').then(stored => stored.hub === null)")
    assert await shell.run("extension", "list") == Ran(0, "No Chrome is paired.\n", "")
    unknown = await shell.run("extension", "unpair", "work")
    assert unknown == Ran(
        3, "", "NotFound: No Chrome is called 'work'.\nList them: tabwright extension list\n"
    )


async def test_the_shell_pairs_an_extension_that_other_people_wrote(shell: Shell) -> None:
    extension = "abcdefghijklmnop" * 2
    printed = await shell.run("extension", "pair", "mail", "--id", extension)
    lines = printed.out.splitlines()
    assert lines[0] == (
        "Paired: mail. Let the extension connect to this address, which contains its token and is shown only now:"
    )
    assert lines[2].startswith("  ws://127.0.0.1:")
    assert "/?token=" in lines[2]
    [chrome] = json.loads((await shell.run("extension", "list", "--json")).out)
    assert (chrome["name"], chrome["connected"]) == ("mail", False)
    wrong = await shell.run("extension", "pair", "--id", "wrong")
    assert wrong == Ran(
        2,
        "",
        "InvalidArgs: Invalid extension id 'wrong'.\nCopy the id of 32 letters from chrome://extensions.\n",
    )
