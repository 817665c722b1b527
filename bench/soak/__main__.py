"""`make soak`: ten sessions, four clients, one hub, for some minutes; fails when anything grows."""

import argparse
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import anyio

from bench.server import serve_pages
from bench.soak.clients import Caller, Kind, Workspace, http, rest, stdio
from bench.soak.figures import WARM, Figures, growth, read_figures
from bench.soak.work import Tally, Worker
from tabwright import __version__
from tabwright.doors.wire.handshake import Hello
from tabwright.doors.wire.hub_client import ask
from tabwright.home import Home

# Two agents that start `tabwright mcp`, one over HTTP, one program over REST: ten sessions in all.
CLIENTS: tuple[tuple[Kind, int], ...] = ((stdio, 3), (stdio, 3), (http, 2), (rest, 2))
_SAMPLE_SECONDS = 5.0


def main() -> None:
    """Read the arguments, run, print."""
    parser = argparse.ArgumentParser(prog="soak", description="Many clients use one hub for some minutes.")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    args = parser.parse_args()
    if sys.platform != "linux":
        parser.error("memory, files and threads are read from /proc, which only Linux has")
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, serve_pages() as site:
        home, temporary = Path(folder) / "home", Path(folder) / "tmp"
        temporary.mkdir()
        sys.exit(anyio.run(_soak, Workspace(Home(home, home), temporary), site, args.minutes * 60))


async def _soak(workspace: Workspace, site: str, seconds: float) -> int:
    tally = Tally()
    try:
        async with AsyncExitStack() as stack:
            callers = [await stack.enter_async_context(kind(workspace)) for kind, _ in CLIENTS]
            course = await _run_workers(workspace, _workers(callers, site, tally), tally, seconds)
    finally:
        await anyio.to_thread.run_sync(ask, workspace.home, Hello("stop", __version__))
    return _print_result(course, tally)


def _workers(callers: list[Caller], site: str, tally: Tally) -> list[Worker]:
    return [
        Worker(call, f"client{client}-session{number}", site, tally)
        for client, (call, (_, sessions)) in enumerate(zip(callers, CLIENTS, strict=True), 1)
        for number in range(1, sessions + 1)
    ]


async def _run_workers(
    workspace: Workspace, workers: list[Worker], tally: Tally, seconds: float
) -> list[Figures]:
    """Run the workers and sample the hub every few seconds; print every minute."""
    hub = ask(workspace.home, Hello("status", __version__))
    assert hub is not None
    start = anyio.current_time()
    course: list[Figures] = []

    def sample() -> None:
        passed = anyio.current_time() - start
        moment = read_figures(
            hub.pid,
            seconds=passed,
            calls=tally.total,
            errors=len(tally.unexpected),
            temporary=workspace.temporary,
        )
        if not course or passed // 60 > course[-1].seconds // 60:
            print(moment, flush=True)
        course.append(moment)

    async with anyio.create_task_group() as group:
        for worker in workers:
            group.start_soon(worker.work, start + seconds)
        while anyio.current_time() < start + seconds:
            sample()
            await anyio.sleep(_SAMPLE_SECONDS)
    return course


def _print_result(course: list[Figures], tally: Tally) -> int:
    """Print the result; return the exit code."""
    print(course[-1])
    print(f"{tally.total / course[-1].seconds:.1f} calls/s: {dict(tally.calls.most_common())}")
    for line in tally.unexpected[:20]:
        print(f"unexpected: {line}")
    grown = growth(course)
    for name, (much, most) in grown.items():
        print(f"{name:10} {much:+8.1f} after the warm-up (at most {most:.1f})")
    too_much = [name for name, (much, most) in grown.items() if much > most]
    if not grown:
        print(f"Too few calls ({2 * WARM} are needed): run for more minutes, or on an idle computer.")
    else:
        print(f"Grows: {', '.join(too_much)}." if too_much else "Nothing grows.")
    return 1 if too_much or tally.unexpected or not grown else 0


if __name__ == "__main__":
    main()
