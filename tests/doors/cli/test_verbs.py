"""The verbs of agent-browser: the same scenarios through our command line and agent-browser itself."""

import json
import os
import re
import shlex
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest

from tabwright import __version__
from tabwright.browser.process.find import find_browser
from tabwright.browser.process.launch import needs_sandbox_off
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import ask
from tabwright.home import Home
from tests.browser.test_attach import external_browser
from tests.doors.cli.shell import PROGRAM, Ran, Shell
from tests.doors.cli.verb_scenarios import KEPT, SCENARIOS, Scenario
from tests.web import Request, Response, Web

ROOT = Path(__file__).parents[3]
THEIRS = ROOT / ".stamps/peers/node_modules/agent-browser/bin/agent-browser-linux-x64"
NOT_INSTALLED = "agent-browser is not installed (npm package, development only: make bench brings it)"


@dataclass(frozen=True)
class Program:
    """A command line in a folder."""

    command: tuple[str, ...]
    folder: Path
    environment: dict[str, str]

    async def run(self, *words: str, given: bytes = b"") -> Ran:
        with anyio.fail_after(90):
            done = await anyio.run_process(
                [*self.command, *words], check=False, cwd=self.folder, env=self.environment, input=given
            )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    async def ref(self, name: str) -> str:
        """Return the ref of the element with this name."""
        seen = (await self.run("snapshot", "-i")).out
        line = next(line for line in seen.splitlines() if f'"{name}"' in line)
        found = re.search(r"\be\d+\b", line)
        assert found
        return f"@{found[0]}"


@pytest.fixture(scope="module")
def hub_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    home = Home(folder, folder)
    yield home
    ask(home, Hello("stop", __version__))


@pytest.fixture
async def ours(hub_home: Home, tmp_path: Path) -> AsyncIterator[Program]:
    shell = Shell(tmp_path, hub_home)
    program = Program(PROGRAM, tmp_path, shell.environment)
    yield program
    await program.run("close")


@pytest.fixture
async def theirs(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> AsyncIterator[Program]:
    if not THEIRS.exists():
        pytest.skip(NOT_INSTALLED)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_BROWSER")}  # noqa: TID251 - a command inherits the tests' environment
    environment = {
        **inherited,
        "HOME": str(tmp_path_factory.mktemp("ab")),
        "AGENT_BROWSER_EXECUTABLE_PATH": str(find_browser()),
        "AGENT_BROWSER_ARGS": "--no-sandbox" if needs_sandbox_off() else "",
    }
    program = Program((str(THEIRS),), tmp_path, environment)
    yield program
    await program.run("close")


@pytest.fixture(params=["tabwright", "agent-browser"])
def program(request: pytest.FixtureRequest) -> Program:
    chosen = "ours" if request.param == "tabwright" else "theirs"
    found: Program = request.getfixturevalue(chosen)
    return found


def serve(web: Web, scenario: Scenario) -> str:
    web.page("<title>Second</title><p>second page</p>", "/second")
    web.page(scenario.html, "/moved")

    def api(request: Request) -> Response:
        return Response(f"mine {request.headers.get('x-mine')}")

    web.route("/api", api)
    return web.page(scenario.html, "/page")


async def fill_in(step: str, page: str, program: Program) -> list[str]:
    """Split a step into words, with its page and refs filled in."""
    words = []
    for word in shlex.split(step):
        found = re.fullmatch(r"<(\w+)>", word)
        if found and found[1] != "PAGE":
            words.append(await program.ref(found[1]))
        else:
            words.append(word.replace("<PAGE>", page))
    return words


def split_steps(scenario: Scenario) -> Iterator[tuple[list[str], str | None]]:
    """Split the steps after each one with expected output, and before each one that needs a ref."""
    group: list[str] = []
    for step, expected in scenario.steps:
        if group and re.search(r"<(?!PAGE)\w+>", step):
            yield group, None
            group = []
        group.append(step)
        if expected is not None:
            yield group, expected
            group = []
    if group:
        yield group, None


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_both_programs_have_the_same_effect(program: Program, scenario: Scenario, web: Web) -> None:
    page = serve(web, scenario)
    (program.folder / "note.txt").write_text("note")
    for steps, expected in split_steps(scenario):
        words = [await fill_in(step, page, program) for step in steps]
        if len(words) == 1:
            ran = await program.run(*words[0])
        else:
            ran = await program.run("batch", "--bail", given=json.dumps(words).encode())
        assert ran.code == 0, (steps, ran)
        if expected is not None:
            assert ran.out.splitlines()[-1:] == [expected.replace("<PAGE>", page)], steps
    if scenario.name == "waiting and going":
        har = json.loads((program.folder / "page.har").read_text())["log"]
        assert f"{web.url}/second" in [entry["request"]["url"] for entry in har["entries"]]
    if scenario.name == "hands and files":
        assert (program.folder / "page.png").read_bytes().startswith(b"\x89PNG")


async def test_a_batch_runs_arguments_and_standard_input(program: Program, web: Web) -> None:
    page = web.page("<title>Batch</title><input id=i>")
    ran = await program.run("batch", f"open {page}", "fill #i 'a b'", "get value #i")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "a b")
    commands = json.dumps([["fill", "#i", "c"], ["get", "value", "#none"], ["get", "value", "#i"]]).encode()
    going_on = await program.run("batch", given=commands)
    assert going_on.code != 0
    assert going_on.out.splitlines()[-1] == "c"
    stopped = await program.run("batch", "--bail", "get value #none", "get title")
    assert stopped.code != 0
    assert "Batch" not in stopped.out


async def test_headers_of_open_go_to_its_origin_and_one_session(program: Program, web: Web) -> None:
    def show_token(request: Request) -> Response:
        token = request.headers.get("x-token")
        return Response(f"<title>{token}</title>", headers={"content-type": "text/html"})

    web.route("/token", show_token)
    one, two = ("--session", "one"), ("--session", "two")
    assert (await program.run(*one, "open", f"{web.url}/token", "--headers", '{"X-Token": "t"}')).code == 0
    assert (await program.run(*one, "get", "title")).out == "t\n"
    assert (await program.run("open", f"{web.other_site}/token", *two)).code == 0
    assert (await program.run("get", "title", *two)).out == "None\n"
    assert (await program.run(*one, "open", f"{web.other_site}/token")).code == 0
    assert (await program.run("get", "title", *one)).out == "None\n"
    assert (await program.run("close", *one)).code == 0
    assert (await program.run("close", "--all")).code == 0


async def test_a_state_file_of_agent_browser_can_be_loaded(ours: Program, theirs: Program, web: Web) -> None:
    page = web.page(KEPT)
    for words in (
        ["open", page],
        ["cookies", "set", "a", "b"],
        ["storage", "local", "set", "k", "v"],
        ["state", "save", "theirs.json"],
    ):
        assert (await theirs.run(*words)).code == 0
    assert (
        await ours.run("state", "load", "theirs.json")
    ).out == "Loaded 1 cookie and the storage of 1 origin.\n"
    await ours.run("open", page)
    await ours.run("click", "button")
    assert (await ours.run("get", "text", "#log")).out == "a=b,v,;\n"


async def test_open_snapshot_and_click(ours: Program, web: Web) -> None:
    page = web.page("<title>Start</title><h1>Start</h1><a href=/second>Go on</a>")
    web.page("<title>Second</title>", "/second")
    opened = await ours.run("open", page.removeprefix("http://"))
    assert opened == Ran(0, f'Navigated to {page} "Start" (200 OK)\n', "")
    seen = await ours.run("snapshot", "-i")
    assert seen == Ran(0, f'[Snapshot of {web.url[7:]}]\n- @e2: link "Go on" → /second\n', "")
    clicked = await ours.run("click", "@e2")
    assert (clicked.code, clicked.out.splitlines()[0]) == (0, 'Clicked link "Go on".')
    assert (await ours.run("get", "title")).out == "Second\n"


async def test_the_environment_and_leading_flags_choose_the_session(ours: Program, web: Web) -> None:
    other = replace(ours, environment={**ours.environment, "AGENT_BROWSER_SESSION": "mine"})
    assert (await other.run("session")).out == "mine\n"
    assert (await ours.run("session")).out == "default\n"
    answer = json.loads((await ours.run("--json", "--session", "third", "session")).out)
    assert (answer["ok"], answer["text"], answer["result"]) == (True, "third", {"session": "third"})
    await other.run("open", web.page("<title>Mine</title>"))
    assert (await ours.run("--session", "mine", "get", "title")).out == "Mine\n"
    whole = json.loads((await other.run("--json", "get", "title")).out)
    assert (whole["text"], whole["result"]["title"], whole["session"]) == ("Mine", "Mine", "mine")
    assert (await other.run("close")).out == "Closed session: mine\n"
    assert (await other.run("close")).out == "No session was open.\n"


async def test_errors_have_our_exit_codes_and_answers(ours: Program, web: Web) -> None:
    await ours.run("open", web.page("<p>One</p><p>Two</p>"))
    missing = await ours.run("--json", "click", "#none", "--timeout", "0.1")
    assert (missing.code, json.loads(missing.out)["error"]["class"]) == (3, "NotFound")
    assert (await ours.run("find", "role", "paragraph", "text")).code == 2
    late = await ours.run("wait", "--text", "Three", "--timeout", "200")
    assert (late.code, late.err.splitlines()[0][:8]) == (7, "TimedOut")
    assert (await ours.run("--headed", "get", "url")).err == (
        "The hub is already running and keeps its browser. To change that: tabwright hub stop\n"
    )
    noted = (await ours.run("get", "url", "--debug")).err
    assert re.fullmatch(r"get_page in session default: ok, \d+ ms\n", noted)
    steps = json.loads((await ours.run("batch", "--json", "get count p", "no such", "click")).out)
    assert [step["ok"] for step in steps] == [True, False, False]
    assert (steps[0]["command"], steps[0]["text"]) == (["get", "count", "p"], "2")


async def test_our_own_find_and_batch_still_work(ours: Program, web: Web) -> None:
    await ours.run("open", web.page("<p>some text</p>"))
    assert (await ours.run("find", "text")).out.startswith("1 match\n")
    ran = await ours.run("batch", '{"action": "get_text", "target": "p"}')
    assert ran.out == "1. get_text: some text\n1 of 1 step done.\n"


async def test_files_are_saved_where_requested(ours: Program, web: Web) -> None:
    attached = {"content-disposition": "attachment; filename=data.csv"}
    web.route("/file", lambda _: Response("a,b", headers=attached))
    await ours.run("open", web.page("<a href=/file>Get</a>"))
    saved = await ours.run("download", "a", "kept/mine.csv")
    assert (saved.code, saved.out.splitlines()[-1]) == (0, "kept/mine.csv")
    assert (ours.folder / "kept/mine.csv").read_text() == "a,b"
    printed = await ours.run("pdf", "page.pdf")
    assert (printed.code, printed.out.splitlines()[-1]) == (0, "page.pdf")
    assert (ours.folder / "page.pdf").read_bytes().startswith(b"%PDF")
    assert (await ours.run("batch", "trace start", "reload", "trace stop trace.json")).code == 0
    assert json.loads((ours.folder / "trace.json").read_text())["traceEvents"]


async def test_a_browser_is_joined_by_its_port_and_left_unchanged(
    ours: Program, web: Web, tmp_path: Path
) -> None:
    page = web.page("<title>Joined</title>")
    async with external_browser(tmp_path / "profile") as running:
        joined = await ours.run("connect", running.port, "--session", "guest")
        assert joined.out.startswith("The user's own Chrom")
        await ours.run("open", page, "--session", "guest")
        again = await ours.run("--cdp", running.port, "--session", "guest", "get", "title")
        assert (again.code, again.out) == (0, "Joined\n")
        assert (await ours.run("close", "--session", "guest")).code == 0
        async with await anyio.connect_tcp("127.0.0.1", int(running.port)):
            pass  # the browser still runs
    far = await ours.run("connect", "ws://example.com/devtools")
    assert (far.code, far.err.splitlines()[0]) == (
        6,
        "Denied: 'ws://example.com/devtools' is not of this computer.",
    )
    gone = await ours.run("connect", running.port)
    assert gone.code == 9
