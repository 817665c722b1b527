"""Metadata for registries and desktop clients: valid, true, and of one version."""

import json
import re
import shlex
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from scripts import release
from tabwright import __version__
from tabwright.browser.process.install import PACKAGES
from tabwright.doors.cli import commands
from tabwright.doors.cli.parse import parse
from tests.doors.mcp.agents import HubHome
from tests.packaging.conftest import ROOT, TRUST, environment_of


def test_the_version_is_the_same_everywhere() -> None:
    server = json.loads((ROOT / "server.json").read_text())
    extension = json.loads((ROOT / "src/tabwright/extension/manifest.json").read_text())
    answer = {server["version"], server["packages"][0]["version"], extension["version"]}
    assert answer | {release.manifest()["version"]} == {__version__}
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"] == ["version"]


def test_server_json_follows_the_rules_of_the_registry() -> None:
    text = (ROOT / "server.json").read_text()
    assert text == release.server_json(), "Run make gen."
    answer = json.loads(text)
    (package,) = answer["packages"]
    assert set(answer) == {"$schema", "name", "title", "description", "version", "packages"}
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", answer["name"])
    assert 1 <= len(answer["description"]) <= 100
    assert (package["registryType"], package["identifier"], package["transport"]) == (
        "pypi",
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"],
        {"type": "stdio"},
    )
    # The registry checks this to see that the package is ours; the image has it in a label.
    assert f"<!-- mcp-name: {answer['name']} -->" in (ROOT / "README.md").read_text()
    assert f'io.modelcontextprotocol.server.name="{answer["name"]}"' in (ROOT / "Dockerfile").read_text()


def test_the_bundle_manifest_has_the_documented_fields() -> None:
    answer = release.manifest()
    assert {"manifest_version", "name", "version", "description", "author", "server"} <= set(answer)
    assert answer["manifest_version"] == "0.4"  # the first version with servers run by uv
    assert set(answer["server"]) == {"type", "entry_point", "mcp_config"}
    assert set(answer["server"]["mcp_config"]) <= {"command", "args", "env", "platform_overrides"}
    assert set(answer["compatibility"]["platforms"]) <= {"darwin", "win32", "linux"}
    for field in answer["user_config"].values():
        assert {"type", "title", "description"} <= set(field)
        assert field["type"] in ("string", "number", "boolean", "directory", "file")
    used = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(answer["server"]))
    assert set(used) == set(answer["user_config"])


@pytest.fixture(scope="module")
def unpacked_bundle(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle as a desktop client unpacks it."""
    folder = tmp_path_factory.mktemp("bundle")
    with zipfile.ZipFile(release.bundle(wheel)) as archive:
        assert archive.namelist() == [
            "manifest.json",
            "pyproject.toml",
            "server/main.py",
            "icon.png",
            wheel.name,
        ]
        archive.extractall(folder)
    return folder


@pytest.mark.parametrize("there", [True, False])
async def test_the_bundle_starts_as_its_manifest_says_in_the_chosen_folder(
    unpacked_bundle: Path, hub: HubHome, tmp_path: Path, there: bool
) -> None:
    answer = json.loads((unpacked_bundle / "manifest.json").read_text())
    files = tmp_path / "files"
    if there:
        files.mkdir()
    started = fill_placeholders(
        answer["server"]["mcp_config"], unpacked_bundle, headless="true", folder=str(files)
    )
    environment = {**environment_of(hub), **TRUST, **started["env"]}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"  # for uv
    # Desktop clients start it in no particular folder.
    server = StdioServerParameters(command=started["command"], args=started["args"], env=environment, cwd="/")
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        save = {"action": "save_downloads", "args": {"folder": str(tmp_path)}}
        refused = await client.call_tool("browser_more", save)
    assert [tool.name for tool in tools] == [tool["name"] for tool in answer["tools"]]
    # The hub runs already, so it gets its information from the client only.
    allowed = files if there else "none"
    assert f"{tmp_path} is outside of the folders that may be used: {allowed}." in re.sub(
        "</?page_text [0-9a-f]{8}>", "", str(refused.content)
    )


def fill_placeholders(value: Any, place: Path, **choices: str) -> Any:
    """Replace placeholders by the user's choices, as clients do."""
    text = json.dumps(value).replace("${__dirname}", str(place))
    for name, choice in choices.items():
        text = text.replace(f"${{user_config.{name}}}", choice)
    return json.loads(text)


def test_the_image_copies_existing_files_and_starts_an_existing_command() -> None:
    steps = list(instructions((ROOT / "Dockerfile").read_text()))
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for words in (shlex.split(step) for kind, step in steps if kind == "COPY"):
        if not words[0].startswith("--from"):
            for name in words[:-1]:
                assert (ROOT / name).exists(), name
                assert f"!{name}" in ignored, name
    assert [step for kind, step in steps if kind == "RUN" and set(PACKAGES) <= set(step.split())]
    ((*_, last),) = [[json.loads(step) for kind, step in steps if kind == "CMD"]]
    command = commands.find_own(last[0])
    assert command is not None
    assert parse(command, last[1:]) == {"embedded": True}
    assert [step for kind, step in steps if kind == "USER"] == ["tabwright"]
    # Inside the home folder, which must not be used for files.
    assert [step for kind, step in steps if kind == "WORKDIR"][-1] == "/home/tabwright/files"
    assert ':/home/tabwright/files"`' in (ROOT / "docs/INSTALL.md").read_text()


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The steps of a Dockerfile."""
    whole = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    for line in whole.splitlines():
        if line.strip():
            kind, _, rest = line.partition(" ")
            yield kind, rest
