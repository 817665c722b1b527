"""What all calls of agent-browser's tools share: its global options, and answers of one shape."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from tabwright.action import Effect
from tabwright.actions.agent_browser import CommandRan
from tabwright.call import Call
from tabwright.dialects.tool_call import Bounds, ToolCall
from tabwright.errors import TabwrightError

# No word that a tool puts into a command may be taken for a flag; what is typed is kept apart instead.
_NO_FLAG = r"^[^-]"
Word = Annotated[str, Field(min_length=1, max_length=100_000, pattern=_NO_FLAG)]
Target = Annotated[
    str,
    Field(
        min_length=1,
        max_length=10_000,
        pattern=_NO_FLAG,
        description="Ref (@e2) or selector",
    ),
]


class CommandCall(ToolCall):
    """A call that runs one command."""

    verb: ClassVar[str]

    session: str | None = Field(
        None,
        min_length=1,
        max_length=100,
        pattern=_NO_FLAG,
        description="Browser session, if not the default",
    )
    cdp_port: int | None = Field(None, ge=1, le=65535, description="Port of a running browser")
    headed: bool = Field(False, description="With a window")
    debug: bool = Field(False, description="More on stderr")
    executable_path: str | None = Field(
        None, min_length=1, max_length=4_000, pattern=_NO_FLAG, description="Browser to run"
    )
    as_json: bool = Field(True, alias="json", description="Answer in JSON")
    timeout_ms: float = Field(60_000, gt=0, le=600_000, description="Killed after")
    save_output_path: str | None = Field(
        None,
        min_length=1,
        max_length=2_000,
        description="File for the whole output, below your folder",
    )

    @property
    def place(self) -> str | None:
        return self.session

    @property
    def joined(self) -> int | None:
        """The debugging port that the command is to use."""
        return self.cdp_port

    @property
    def first(self) -> str:
        """The verb."""
        return self.verb

    def words(self) -> Sequence[str]:
        """The words after the verb."""
        return ()

    def values(self) -> Sequence[str]:
        """What is typed or chosen, behind all other words."""
        return ()

    def flags(self) -> list[str]:
        """The global options, in the order of agent-browser's own help."""
        return [
            *(["--cdp", str(self.joined)] if self.joined is not None else []),
            *(["--headed"] if self.headed else []),
            *(["--debug"] if self.debug else []),
            *(["--executable-path", self.executable_path] if self.executable_path is not None else []),
            *(["--json"] if self.as_json else []),
        ]

    def request(self, bounds: Bounds) -> Call:
        args = {
            "verb": self.first,
            "words": list(self.words()),
            "values": list(self.values()),
            "flags": self.flags(),
            "timeout": self.timeout_ms / 1000,
            "save_output_path": self.save_output_path or "",
        }
        return Call("run_agent_browser", args, session=self.place, render=_told, render_error=_failed)


class Reading(CommandCall):
    """A call that changes nothing."""

    effect = Effect.READ


class OnElement(CommandCall):
    """A call on one element."""

    target: Target

    def words(self) -> Sequence[str]:
        return (self.target,)


def _told(ran: CommandRan) -> dict[str, Any]:
    return {
        "ok": ran.ok,
        "exitCode": ran.exit_code,
        "signal": ran.signal,
        "invoked": ran.invoked,
        "stdout": ran.stdout,
        "stderr": ran.stderr,
        "parsedJson": ran.parsed_json,
        "truncated": ran.truncated,
        "savedOutputPath": ran.saved_output_path,
    }


def _failed(error: TabwrightError) -> dict[str, Any]:
    """Tell what kept a command from being run as a command that failed is told."""
    said = f"{error.kind.__name__}: {error}"
    ran = CommandRan(
        ok=False,
        exit_code=None,
        signal=None,
        invoked=[],
        stdout="",
        stderr=said,
        parsed_json=None,
        truncated=False,
        saved_output_path=None,
    )
    return _told(ran)
