"""Actions of a session are recorded as a tool of the site and replayed."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tabwright.call import Call
from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound, Stale
from tabwright.home import Home
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tests.calls import Do
from tests.doors.cli.shell import Shell
from tests.web import Web

DESK = """
<title>Tickets</title>
<form action=/made>
  <label>Subject <input name=subject></label>
  <label>Kind <select name=kind><option value=b>Bug<option value=w>Wish</select></label>
  <label><input type=checkbox name=urgent> Urgent</label>
  <label>Access code <input type=password name=code></label>
  <label>Token <input type=password name=token></label>
  <div id=pad><div><span tabindex=0 onclick="document.forms[0].subject.value += '!'" style="cursor: pointer">🖉</span></div></div>
  <button type=submit data-testid=send><b>Create ticket</b></button>
</form>
"""


def recipe(home: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((home / "recipes" / f"{name}.toml").read_text())


async def test_actions_are_recorded_with_stable_locators_and_replayed(do: Do, web: Web, home: Path) -> None:
    secrets = home / "secrets.toml"
    secrets.write_text(f'[corpus_page]\norigin = "{web.url}"\nvalue = "token-of-the-corpus_page"\n')
    secrets.chmod(0o600)
    web.page("<title>Made</title><p>Ticket made", "/made")
    page = web.page(DESK, "/corpus_page")
    await do("navigate", url=page)
    started = await do("start_recording", name="make_ticket", site="127.0.0.1", describe="Make a ticket.")
    assert started.text == "Recording make_ticket. Use the site, then call stop_recording."
    seen = re.search(r'(@e\d+): textbox "Subject"', (await do("snapshot")).text)
    assert seen is not None
    await do("fill", target=seen[1], value="Printer")
    await do("select_option", target="css=select", options=["Wish"])
    await do("check", target="text=Urgent")
    await do("fill", target="label=Access code", value="1234-secret")
    await do("fill", target="label=Token", value="{{secret:corpus_page}}")
    await do("click", target="css=span")
    await do("evaluate", script="1")
    with pytest.raises(NotFound):
        await do("click", target="text=Nowhere", timeout=0.1)
    await do("click", target="text=Create ticket")
    stopped = await do("stop_recording")
    path = home / "recipes" / "make_ticket.toml"
    assert stopped.text == (
        f"make_ticket is now a tool of its site: 8 steps, in {path}. Not recorded: evaluate."
    )
    assert path.stat().st_mode & 0o777 == 0o600
    assert "1234-secret" not in path.read_text()
    assert recipe(home, "make_ticket") == {
        "site": "127.0.0.1",
        "sequence": [
            {
                "name": "make_ticket",
                "describe": "Make a ticket.",
                "parameters": {
                    "subject": {"describe": "Subject", "default": "Printer"},
                    "kind": {"describe": "Kind", "default": "Wish"},
                    "access_code": {"describe": "Access code", "secret": True},
                },
                "step": [
                    {"do": "navigate", "url": page},
                    {
                        "do": "fill",
                        "target": [
                            'role=textbox[name="Subject"]',
                            'label="Subject"',
                            'css=input[name="subject"]',
                        ],
                        "value": "{{subject}}",
                    },
                    {
                        "do": "select",
                        "target": ['role=combobox[name="Kind"]', 'label="Kind"', 'css=select[name="kind"]'],
                        "value": "{{kind}}",
                    },
                    {
                        "do": "check",
                        "target": [
                            'role=checkbox[name="Urgent"]',
                            'label="Urgent"',
                            'css=input[name="urgent"]',
                        ],
                    },
                    {
                        "do": "fill",
                        "target": [
                            'role=textbox[name="Access code"]',
                            'label="Access code"',
                            'css=input[name="code"]',
                        ],
                        "value": "{{access_code}}",
                    },
                    {
                        "do": "fill",
                        "target": ['role=textbox[name="Token"]', 'label="Token"', 'css=input[name="token"]'],
                        "value": "{{secret:corpus_page}}",
                    },
                    {"do": "click", "target": "css=#pad > div:nth-of-type(1) > span:nth-of-type(1)"},
                    {
                        "do": "click",
                        "target": ['role=button[name="Create ticket"]', "testid=send"],
                    },
                ],
            }
        ],
    }
    web.requests.clear()
    made = await do("call_page_tool", name="make_ticket", arguments={"subject": "Lamp", "access_code": "99"})
    assert made.text.startswith("Ran make_ticket: 8 steps.\n")
    sent = "subject=Lamp%21&kind=w&urgent=on&code=99&token="
    assert (
        made.text.splitlines()[-1]
        == f'Navigated to {web.url}/made?{sent}[secret corpus_page] "Made" (200 OK)'
    )
    assert (await web.wait_for_request("/made")).query == f"{sent}token-of-the-corpus_page"


async def test_recording_errors_name_their_cause(do: Do, web: Web, home: Path) -> None:
    with pytest.raises(NotFound) as none:
        await do("stop_recording")
    assert none.value.message == "This session is not being recorded."
    await do("start_recording", name="go_home", site="127.0.0.1")
    with pytest.raises(Blocked):
        await do("start_recording", name="other", site="127.0.0.1")
    with pytest.raises(InvalidArgs) as empty:
        await do("stop_recording")
    assert empty.value.message == "Nothing was recorded."
    url = web.page("<title>Home</title><a href=/x>On</a>", "/home").replace("//", "//me:pass@")
    await do("navigate", url=url)
    await do("press", key="Tab")
    await do("stop_recording")
    steps = recipe(home, "go_home")["sequence"][0]["step"]
    assert steps == [{"do": "navigate", "url": f"{web.url}/home"}, {"do": "press", "key": "Tab"}]
    with pytest.raises(InvalidArgs) as known:
        await do("start_recording", name="go_home", site="127.0.0.1")
    assert known.value.message == f"The recipe go_home already exists: {home}/recipes/go_home.toml."
    await do("start_recording", name="go_home", site="127.0.0.1", replace=True)
    dropped = await do("stop_recording", discard=True)
    assert dropped.text == "Discarded the recording of go_home."


async def test_a_recorded_tool_fails_clearly_when_the_site_has_changed(do: Do, web: Web, home: Path) -> None:
    page = web.page("<button>Start</button>", "/app")
    await do("start_recording", name="begin", site="127.0.0.1")
    await do("navigate", url=page)
    await do("click", target="text=Start")
    await do("stop_recording")
    web.page("<button id=a>Begin now</button><button>Restart</button>", "/app")
    with pytest.raises(Stale) as changed:
        await do("call_page_tool", name="begin", arguments={})
    assert changed.value.message == (
        'begin: step 2 of 2 (click): role=button[name="Start"] is not on the page. The site may have changed. '
        f"Done before it: navigated to {page}."
    )
    assert 'button "Restart"' in changed.value.hint


async def test_recording_needs_the_admin_scope(runner: Runner) -> None:
    guest = Principal("token:guest", frozenset({"read", "act"}))
    with pytest.raises(Denied):
        await runner.run(Call(action="start_recording", args={"name": "x1", "site": "a"}, principal=guest))


async def test_the_shell_can_record_a_recipe(web: Web, tmp_path: Path) -> None:
    shell = Shell(tmp_path, Home(tmp_path / "home", tmp_path / "home"))
    page = web.page("<label>Name <input></label>")
    missing = await shell.run("record", "greet")
    assert (missing.code, missing.err.splitlines()[0]) == (
        2,
        "tabwright record: missing --site: the host that the tool is for.",
    )
    try:
        ran = [
            await shell.run(*words)
            for words in (
                ("record", "greet", "--site", "127.0.0.1", "--describe", "Say who."),
                ("navigate", page),
                ("fill", "label=Name", "Ada"),
                ("record", "stop"),
                ("call-page-tool", "greet", "--arguments", '{"name": "Bob"}'),
            )
        ]
    finally:
        shell.stop_hub()
    assert [one.code for one in ran] == [0, 0, 0, 0, 0]
    file = tmp_path / "home" / "recipes" / "greet.toml"
    assert ran[3].out == f"greet is now a tool of its site: 2 steps, in {file}.\n"
    assert ran[4].out.startswith("Ran greet: 2 steps.\n")
