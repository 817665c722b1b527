"""Command lines of programs, their output, and file names, with any input."""

import json
import os
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tabwright.agent_browser.command_line import (
    MAX_COMMAND_BYTES,
    MAX_WORD_BYTES,
    VERBS,
    Order,
    build_command,
)
from tabwright.agent_browser.find_program import OWN, Program, find_program
from tabwright.agent_browser.output import MAX_JSON, MAX_TEXT, ProgramOutput, render
from tabwright.agent_browser.stream import Stream
from tabwright.doors.cli import commands
from tabwright.doors.cli.parse import parse
from tabwright.doors.cli.verbs import VERBS as CLI_VERBS
from tabwright.doors.cli.verbs import command_of
from tabwright.errors import Denied, InvalidArgs, NotFound
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.file_access import Files
from tabwright.policy.data.safe_path import plain_path
from tests.programs import program

THEIRS = Program(("/usr/bin/agent-browser",))
FLAGS = st.sampled_from(("--json", "--session", "--headers=x", "-p", "--", "-5", "-", "-.5", "--no-compact"))
SELECT = command_of(CLI_VERBS["select"])
VALUES = st.lists(st.one_of(st.text(max_size=20), FLAGS), min_size=1, max_size=4)


def refusal(call: Order, program: Program = OWN, session: str | None = None) -> str:
    with pytest.raises((InvalidArgs, Denied)) as error:
        build_command(program, call, session)
    return error.value.message


@given(VALUES)
def test_a_value_is_never_taken_for_a_flag(values: list[str]) -> None:
    order = Order(verb="select", words=["#s"], values=values)
    if any("\0" in value for value in values):
        assert "NUL" in refusal(order)
        return
    command = build_command(OWN, order, None)
    assert parse(SELECT, command[len(OWN.command) + 1 :]) == {
        "target": "#s",
        "options": values,
    }
    if any(re.match("-[-a-zA-Z]", value) for value in values):
        assert refusal(order, THEIRS).startswith("agent-browser would take ")
    else:
        assert build_command(THEIRS, order, None) == [*THEIRS.command, "select", "#s", *values]


def test_words_that_cannot_be_arguments_are_refused() -> None:
    assert refusal(Order(verb="open", words=["a\0b"])) == "'a\\x00b' contains a NUL."
    assert refusal(Order(verb="open", words=["\ud800"])) == "'\\ud800' is not valid text."
    for size, characters in ((MAX_WORD_BYTES, "x"), (MAX_WORD_BYTES // 2, "é")):
        assert (
            build_command(OWN, Order(verb="fill", values=[characters * size]), None)[-1] == characters * size
        )
        assert "its longest word 100,00" in refusal(Order(verb="fill", values=[characters * (size + 1)]))
    many = ["x" * 99_000] * (MAX_COMMAND_BYTES // 99_000)
    assert build_command(THEIRS, Order(verb="fill", words=many), None)[2:] == many
    assert "the limits are 400,000 and 100,000" in refusal(Order(verb="fill", words=[*many, *many]))


def test_only_commands_on_pages_and_sessions_are_run() -> None:
    ours = {name.partition(" ")[0] for name in CLI_VERBS}
    assert ours - VERBS == {"batch"}
    assert {command.name for command in commands.OWN} & VERBS == {"doctor"}
    for verb in (
        "hub",
        "install",
        "upgrade",
        "plugin",
        "mcp",
        "auth",
        "confirm",
        "chat",
        "batch",
        "--help",
        "",
    ):
        assert refusal(Order(verb=verb)) == f"The command {verb!r} is not allowed."
    for option in ("--session", "--session=x", "--executable-path=/bin/sh", "--cdp", "--json"):
        said = refusal(Order(verb="open", words=["a.example", option]))
        assert said == f"{option} is not allowed among the words."
    assert refusal(Order(verb="open"), session="-x") == "Invalid session name '-x'."


def test_the_session_and_flags_come_before_the_command() -> None:
    order = Order(verb="get", words=["title"], flags=["--headed", "--json"])
    assert build_command(THEIRS, order, "a") == [
        *THEIRS.command,
        "--session",
        "a",
        "--headed",
        "--json",
        "get",
        "title",
    ]
    # It looks at the computer, and ours takes no session.
    assert build_command(OWN, Order(verb="doctor"), "a") == [*OWN.command, "doctor"]


def test_the_program_is_the_named_the_installed_or_our_own(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    installed = program(tmp_path / "bin", "agent-browser", "")
    other = program(tmp_path, "mine", "")
    path = {"PATH": str(tmp_path / "bin")}
    assert find_program(path, tmp_path) == Program((str(installed),))
    assert find_program({**path, "AGENT_BROWSER_BIN": str(other)}, tmp_path) == Program((str(other),))
    assert find_program({**path, "AGENT_BROWSER_BIN": "./mine"}, tmp_path) == Program((str(other),))
    assert find_program({**path, "AGENT_BROWSER_BIN": "tabwright"}, tmp_path) == OWN
    assert find_program({"PATH": str(tmp_path)}, tmp_path) == OWN
    assert find_program({}, tmp_path) == OWN
    for missing in ("nothing", "./nothing", str(tmp_path)):
        with pytest.raises(NotFound) as error:
            find_program({**path, "AGENT_BROWSER_BIN": missing}, tmp_path)
        assert error.value.message == f"AGENT_BROWSER_BIN is {missing}, but there is no such program."


def write_stream(content: bytes, *, kept: int = MAX_JSON) -> Stream:
    stream = Stream(kept)
    os.close(stream.theirs)
    stream.close()
    stream.head, stream.size = content[:kept], len(content)
    return stream


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
).filter(lambda value: isinstance(value, dict | list))


@settings(max_examples=40)
@given(JSON, st.integers(0, 2), st.booleans())
def test_json_is_returned_whole_or_not_at_all(value: object, size: int, saved: bool) -> None:
    padding = " " * (0, MAX_TEXT, MAX_JSON)[size]
    try:
        content = (json.dumps(value, ensure_ascii=False) + padding).encode()
    except UnicodeEncodeError:
        return
    answer = render(write_stream(content), saved=saved)
    if size == 2 or (size == 1 and saved):
        assert answer == ProgramOutput("", None, cut=True)
    else:
        assert answer == ProgramOutput(content.decode(), value, cut=False)


@given(st.binary(max_size=200), st.sampled_from((0, MAX_TEXT - 200, MAX_TEXT, MAX_JSON)))
@example(b"[Snapshot of a page]", MAX_JSON)
@example(b'{"half": ', MAX_TEXT)
@example(b"\xff\xfe[1]", 0)
def test_other_output_is_cut_and_flagged(content: bytes, more: int) -> None:
    whole = content + b"x" * more
    assume(not _is_json(whole))
    answer = render(write_stream(whole))
    assert len(answer.text) <= MAX_TEXT
    assert answer.parsed is None
    assert answer.cut == (answer.text != whole.decode(errors="replace"))


def _is_json(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict | list)
    except ValueError:
        return False


def test_json_that_is_too_deep_stays_text() -> None:
    deep = b"[" * 500 + b"]" * 500
    assert render(write_stream(deep)) == ProgramOutput(deep.decode())
    for strange in (b'["\\ud800"]', b"[NaN]", b"[1] [2]"):
        assert render(write_stream(strange)) == ProgramOutput(strange.decode())


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "/", "./", "a/", "a/.", "..", "../a", "a/../b", "/etc/passwd", "//host/a", "~/a", "~root",
        "C:\\a", "C:a", "c:/a", "\\\\host\\a", "..\\a", "a\\b", "file.txt:stream", "CON", "nul.txt", "a/COM1",
        "lpt9.x", "a.", "a ", " a", "a\0b", "a\nb", "a\tb", "\u202eabc", "a\u200bb", "\uff0e\uff0e/a", "\u2025/a", "a\uff0fb",
        "a\u2215b", "a\u2044b", "a\uff3cb", "C\uff1aa", "a?b", "a*b", "a|b", 'a"b', "\ud800", "\ue000",
    ],
)  # fmt: skip
def test_an_ambiguous_path_is_refused(path: str) -> None:
    with pytest.raises(InvalidArgs) as error:
        plain_path(path)
    assert error.value.hint == "Name a file below your folder, such as out/page.json."


def test_an_ordinary_path_is_accepted() -> None:
    for path in (
        "a",
        "out/page.json",
        ".hidden",
        "a b",
        "..a",
        "a..b",
        "日本/メモ.txt",
        "Größe.md",
        "--help",
        "con1",
    ):
        assert plain_path(path) == path
    assert plain_path("./a//b/./c") == "a/b/c"


@given(
    st.text(alphabet=st.one_of(st.sampled_from("./\\:~ \u2024\uff0f\uff0e"), st.characters()), max_size=12)
)
def test_accepted_paths_stay_in_the_folder_however_they_are_read(path: str) -> None:
    try:
        plain = plain_path(path)
    except InvalidArgs:
        return
    for reading in (plain, unicodedata.normalize("NFKC", plain), plain.replace("\\", "/")):
        parts = Path("/folder", reading).parts
        assert parts[:2] == ("/", "folder")
        assert len(parts) == 2 + len(plain.split("/"))
        assert ".." not in parts


def test_a_file_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    me = Principal("local:test", folder=tmp_path)
    (tmp_path / "old").write_text("old")
    for keep in (False, True):
        with Files().new_file("old", me) as file, Files().new_file("deep/er/new", me) as other:
            file.write(b"new")
            other.write(b"x" * 100_000)
            if keep:
                file.commit()
                other.commit()
            else:
                assert (tmp_path / "old").read_text() == "old"
        assert (tmp_path / "old").read_text() == ("new" if keep else "old")
    assert (tmp_path / "deep/er/new").stat().st_size == 100_000
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "er", "new", "old"]


def test_links_and_folders_cannot_redirect_a_file(tmp_path: Path) -> None:
    folder, outside = tmp_path / "work", tmp_path / "outside"
    (folder / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "there").write_text("there")
    for name, leads in {
        "away": outside, "file": outside / "there", "new": outside / "new", "up": Path(".."), "itself": Path(),
    }.items():  # fmt: skip
        (folder / name).symlink_to(leads)
    (folder / "inside").symlink_to("sub")
    (folder / "plain").write_text("")
    os.mkfifo(folder / "pipe")
    me = Principal("local:test", folder=folder)
    for path in ("away/x", "file", "new", "up/x", "itself", "sub", "plain/x", "pipe", "x" * 300, "inside"):
        with pytest.raises((Denied, InvalidArgs)), Files().new_file(path, me) as file:
            file.commit()
    assert [path.name for path in outside.iterdir()] == ["there"]
    assert (outside / "there").read_text() == "there"
    with Files().new_file("inside/kept", me) as file:
        file.commit()
    assert (folder / "sub/kept").exists()
    with pytest.raises(Denied), Files().new_file("x", Principal("token:a")):
        pass
