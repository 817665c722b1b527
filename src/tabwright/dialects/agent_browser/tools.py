"""agent-browser's tools, a row each.

All of them mean one action, `run_agent_browser`. A row names the command, and its params say how arguments
are written on a command line: as words, as flags, or as typed text that is never taken for a flag.
"""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal

import orjson
from pydantic import Field

from tabwright.action import Effect
from tabwright.dialects.alias import MS, REQUIRED, Alias, Arguments, Meaning, Param
from tabwright.errors import InvalidArgs

_ACTION = "run_agent_browser"
# No word of a command may be taken for a flag.
_NO_FLAG = r"^[^-]"
_Word = Annotated[str, Field(min_length=1, max_length=100_000, pattern=_NO_FLAG)]
_Selector = Annotated[str, Field(min_length=1, max_length=10_000, pattern=_NO_FLAG)]
_Typed = Annotated[str, Field(max_length=100_000)]
_Key = Annotated[str, Field(min_length=1, max_length=100)]
_Headers = Annotated[dict[str, str], Field(max_length=100)]
_LoadState = Literal["load", "domcontentloaded", "networkidle"]
_Port = Annotated[int, Field(ge=1, le=65535)]

# The options of every command, in the order of agent-browser's own help.
_FLAGS = (
    Param("cdp_port", text="Port of a running browser", default=None, type=_Port, flag="--cdp"),
    Param("headed", text="With a window", default=False, type=bool, flag="--headed"),
    Param("debug", text="More on stderr", default=False, type=bool, flag="--debug"),
    Param(
        "executable_path",
        text="Browser to run",
        default=None,
        type=Annotated[str, Field(min_length=1, max_length=4_000, pattern=_NO_FLAG)],
        flag="--executable-path",
    ),
    Param("json", text="Answer in JSON", default=True, type=bool, flag="--json"),
)
SHARED = (
    Param(
        "session",
        text="Browser session, if not the default",
        default=None,
        type=Annotated[str, Field(min_length=1, max_length=100, pattern=_NO_FLAG)],
    ),
    *_FLAGS,
    Param("timeout_ms", "timeout", "Killed after this time", 60_000, MS),
    Param("save_output_path", text="File for the whole output, below your folder", default=None),
)
_TARGET = Param("target", text="Ref (@e2) or selector", type=_Selector)


def _option(name: str, flag: str, text: str, kind: Any, default: Any = None) -> Param:
    return Param(name, text=text, default=default, type=kind, flag=flag)


def _write(params: Iterable[Param], args: Arguments) -> list[str]:
    """Write arguments as a command line has them."""
    words: list[str] = []
    for param in params:
        value = args.get(param.name)
        if value is None or value is False:
            continue
        if param.flag:
            words.append(param.flag)
        if isinstance(value, dict):
            words.append(orjson.dumps(value).decode())
        elif value is not True:
            words += map(str, value if isinstance(value, list) else [value])
    return words


def _run(command: str, params: tuple[Param, ...], args: Arguments) -> Meaning:
    """Run a command with words, flags and typed text from the arguments."""
    verb, *words = command.split()
    own = {param.name for param in params}
    passed = ("session", "timeout", "save_output_path")
    return _ACTION, {
        **{name: value for name, value in args.items() if name in passed},
        "verb": verb,
        "words": [*words, *_write((param for param in params if not param.typed), args)],
        "values": _write((param for param in params if param.typed), args),
        "flags": _write((param for param in _FLAGS if param.name not in own), args),
    }


def _tool(
    command: str,
    text: str,
    *params: Param,
    effect: Effect = Effect.ACT,
    destructive: bool = False,
    words: tuple[str, ...] = (),
) -> Alias:
    """Make the row of a command; `words` is the order of its arguments, where it is not that of the list."""
    written = tuple(sorted(params, key=lambda param: words.index(param.name) if param.name in words else 99))
    names = {param.name for param in params}
    return Alias(
        f"agent_browser_{command.replace(' ', '_')}",
        _ACTION,
        text,
        (*params, *(param for param in SHARED if param.name not in names)),
        translate=partial(_run, command, written),
        effect=effect,
        destructive=destructive or effect is Effect.DESTROY,
    )


def _find(args: Arguments) -> Meaning:
    """Only `find nth` has an index, and always has one."""
    if args["by"] == "nth":
        args.setdefault("index", 0)
    else:
        args.pop("index", None)
    return _run("find", _FIND, args)


def _tab(args: Arguments) -> Meaning:
    """Choose the words: `switch` is the tab alone."""
    order, tab = args.pop("action"), args.pop("tab", None)
    if order == "switch" and tab is None:
        raise InvalidArgs("tab: the tab to switch to is missing.", hint="List the tabs, then name one.")
    about = {"new": args.get("url"), "switch": tab, "close": tab}.get(order)
    words = [*([] if order == "switch" else [order]), *([] if about is None else [about])]
    return _run(" ".join(["tab", *words]), (), args)


def _any_command(args: Arguments) -> Meaning:
    verb, *words = args["argv"]
    action, arguments = _run("argv", (), args)
    return action, {**arguments, "verb": verb, "words": words}


_ELEMENT_ACTIONS = Literal["click", "fill", "type", "hover", "focus", "check", "uncheck", "text"]
_LOCATORS = Literal["role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"]
# In the order of the command line.
_FIND = (
    Param("by", text="How to find it; first, last and nth take a selector", type=_LOCATORS),
    Param("index", text="Which, from 0, with nth", default=None, type=Annotated[int, Field(ge=0)]),
    Param("value", text="Role, text, label … or selector", type=_Word),
    Param("action", text="What to do; text reads it", default="click", type=_ELEMENT_ACTIONS),
    Param("text", text="Value for fill and type", default=None, type=_Typed, typed=True),
    _option("name", "--name", "Accessible name, with role", _Word),
    _option("exact", "--exact", "Match the whole text and case", bool, False),
)
TOOLS = (
    _tool(
        "open",
        "Go to an address.",
        Param("url", text="Address; https if it has no scheme", type=_Word),
        _option("headers", "--headers", "Headers for requests to its origin", _Headers),
    ),
    _tool(
        "snapshot",
        "Read the page: its interactive elements, with refs (@e2) to act on.",
        _option("interactive", "-i", "Only interactive elements", bool, True),
        _option("compact", "-c", "Leave out empty wrappers", bool, True),
        _option("depth", "-d", "Maximum depth", Annotated[int, Field(ge=1, le=1_000)], 30),
        _option("selector", "-s", "Only this part of the page", _Selector),
        effect=Effect.READ,
    ),
    _tool("click", "Click an element.", _TARGET, destructive=True),
    _tool(
        "fill",
        "Clear a field and put a value into it.",
        _TARGET,
        Param("value", text="New value", type=_Typed, typed=True),
    ),
    _tool(
        "type",
        "Type at the end of a field.",
        _TARGET,
        Param("text", text="What to type", type=_Typed, typed=True),
        destructive=True,
    ),
    _tool(
        "press",
        "Press a key or chord where the focus is.",
        Param("key", text="Enter, Tab, Control+a", type=_Key, typed=True),
        destructive=True,
    ),
    _tool("hover", "Move the pointer over an element.", _TARGET),
    _tool("check", "Check a checkbox or radio button.", _TARGET, destructive=True),
    _tool("uncheck", "Uncheck a checkbox.", _TARGET, destructive=True),
    _tool(
        "select",
        "Select options of a list.",
        _TARGET,
        Param(
            "values",
            text="Values or labels to select",
            type=Annotated[list[str], Field(min_length=1, max_length=100)],
            default=REQUIRED,
            typed=True,
        ),
    ),
    _tool(
        "upload",
        "Give files to a file field.",
        _TARGET,
        Param(
            "files",
            text="Paths, relative to your folder",
            type=Annotated[list[_Word], Field(min_length=1, max_length=100)],
        ),
        destructive=True,
    ),
    _tool(
        "get",
        "Read a property of the page or of an element.",
        Param(
            "what",
            text="title and url are the page's; the others need a target",
            type=Literal["text", "html", "value", "attr", "title", "url", "count", "box", "styles"],
        ),
        _TARGET._replace(default=None),
        Param("name", text="Name of the attribute, for attr", default=None, type=_Word),
        effect=Effect.READ,
    ),
    _tool(
        "find",
        "Find an element by its role, text or label, and do something with it.",
        *(_FIND[number] for number in (0, 2, 3, 4, 5, 6, 1)),
        destructive=True,
    )._replace(translate=_find),
    _tool(
        "wait",
        "Wait for one thing: an element, a time, a text, an address, a page, a condition.",
        Param("target", text="Until this element is visible", default=None, type=_Selector),
        Param("milliseconds", text="This long", default=None, type=Annotated[int, Field(ge=0, le=600_000)]),
        _option("text", "--text", "Until the page shows this text", _Word),
        _option("url", "--url", "Until the address matches this pattern: **/done", _Word),
        _option("load", "--load", "Until the page reaches this state", _LoadState),
        _option("fn", "--fn", "Until this expression is true", _Word),
        effect=Effect.READ,
    ),
    _tool(
        "screenshot",
        "Save a screenshot of the page to a file.",
        Param("path", text="File to write, such as page.png", default=None, type=_Word),
        Param("target", text="Only this element", default=None, type=_Selector),
        _option("full", "--full", "The whole page, not only the visible part", bool, False),
        _option("annotate", "--annotate", "Draw the refs of interactive elements", bool, False),
        words=("target", "path"),
    ),
    _tool(
        "tab",
        "List, open, switch or close tabs.",
        Param("action", text="What to do", default="list", type=Literal["list", "new", "switch", "close"]),
        Param("tab", text="Tab to switch to or to close, as listed: t2", default=None, type=_Word),
        Param("url", text="Address of a new tab", default=None, type=_Word),
        destructive=True,
    )._replace(translate=_tab),
    _tool("back", "Go back in the history of the tab."),
    _tool("forward", "Go forward in the history of the tab."),
    _tool("reload", "Load the page again."),
    _tool("close", "Close the browser of the session, with all its tabs.", effect=Effect.DESTROY),
    _tool("session", "Return the name of the session that commands work in.", effect=Effect.READ),
    _tool("session list", "List the sessions that are open.", effect=Effect.READ),
    _tool(
        "connect",
        "Use a running browser with a debugging port; later commands need no cdp_port.",
        Param("cdp_port", text="Its debugging port", type=_Port),
    ),
    _tool(
        "set headers",
        "Send extra headers with every request.",
        Param("headers", text="Names and values; an empty object removes them", type=_Headers),
    ),
    _tool("doctor", "Check the browser and its program.", effect=Effect.READ),
    _tool(
        "command",
        "Run any other command of agent-browser.",
        Param(
            "argv",
            text='The command\'s words: ["cookies", "get"]',
            type=Annotated[list[str], Field(min_length=1, max_length=1_000)],
        ),
        effect=Effect.DESTROY,
    )._replace(translate=_any_command),
)
