"""Runs commands of agent-browser as a program, in the client's folder."""

from contextlib import nullcontext
from typing import Any

from pydantic import Field

from tabwright.action import Args, Caller, Effect, Result, action
from tabwright.agent_browser.command_line import Order
from tabwright.agent_browser.runner import Ran
from tabwright.fields import Timeout
from tabwright.sessions.session import UNNAMED


class RunAgentBrowser(Args):
    """Arguments of `run_agent_browser`."""

    verb: str = Field(description="First word of the command, such as open, click or get.")
    words: list[str] = Field([], max_length=1_000, description="Its other words, flags among them.")
    values: list[str] = Field(
        [], max_length=1_000, description="Further words, none of them flags even if they begin with -."
    )
    flags: list[str] = Field([], max_length=20, description="Flags before the command, such as --headed.")
    timeout: Timeout = 60.0
    save_output_path: str = Field(
        "", max_length=2_000, description="File in the client's folder for the whole output."
    )


class CommandRan(Result):
    """The exit code and output of a command."""

    own_lines = 1

    ok: bool = Field(description="Whether it succeeded.")
    exit_code: int | None = Field(description="Its exit code; null if a signal killed it.")
    signal: str | None = Field(description="The signal that killed it.")
    invoked: list[str] = Field(description="The program and its arguments.")
    stdout: str = Field(description="Standard output.")
    stderr: str = Field(description="Standard error.")
    parsed_json: Any = Field(description="Its output parsed as JSON, if it is.")
    truncated: bool = Field(description="Whether the output was cut.")
    saved_output_path: str | None = Field(description="File with the whole output.")

    @property
    def failed(self) -> bool:
        return not self.ok

    def __str__(self) -> str:
        ended = f"Exit code {self.exit_code}." if self.signal is None else f"Killed by {self.signal}."
        saved = f" Saved to {self.saved_output_path}." if self.saved_output_path else ""
        return "\n".join(part for part in (ended + saved, self.stdout, self.stderr) if part)


@action(Effect.DESTROY, does=("run_program",), group="agent-browser", scope="admin")
async def run_agent_browser(caller: Caller, args: RunAgentBrowser) -> CommandRan:
    """Run an agent-browser command, or Tabwright's if that is not installed, in the client's folder."""
    place = caller.place()
    with caller.new_file(args.save_output_path) if args.save_output_path else nullcontext() as file:
        order = Order(
            verb=args.verb,
            words=args.words,
            values=args.values,
            flags=args.flags,
            session=None if caller.session is None or caller.session.startswith(UNNAMED) else caller.session,
            seconds=args.timeout,
            pass_on=None if file is None else file.write,
        )
        ran = await caller.commands.run(order, place)
        if file is not None and ran.complete:
            file.commit()
    return _result(ran, args.save_output_path if args.save_output_path and ran.complete else None)


def _result(ran: Ran, saved: str | None) -> CommandRan:
    return CommandRan(
        ok=ran.code == 0,
        exit_code=ran.code,
        signal=ran.signal,
        invoked=ran.command,
        stdout=ran.out.text,
        stderr=ran.err.text,
        parsed_json=ran.out.parsed,
        truncated=ran.out.cut or ran.err.cut,
        saved_output_path=saved,
    )
