"""Nothing outside of a call may use the tabs of a session."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Denied
from tabwright.runner import Runner
from tests.calls import Do
from tests.web import Response, Web

PAGE = "<input aria-label=Name><input type=file aria-label=Picture>"
USES: dict[str, Callable[[Tab, Path], Awaitable[object]]] = {
    "script": lambda tab, _: tab.evaluate("document.title"),
    "input": lambda tab, _: tab.element("css=[aria-label=Name]").fill("Ada"),
    "key": lambda tab, _: tab.keyboard.press("Tab"),
    "file": lambda tab, path: tab.element("css=[type=file]").upload(path),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
async def test_outside_of_a_call_a_session_allows_nothing(
    runner: Runner, do: Do, web: Web, tmp_path: Path, use: Callable[[Tab, Path], Awaitable[object]]
) -> None:
    (tmp_path / "picture.png").touch()
    await do("navigate", url=web.page(PAGE))
    (session,) = runner.sessions
    with pytest.raises(Denied, match="Only a call"):
        await use(session.tabs[0], tmp_path / "picture.png")


async def test_a_task_outside_of_a_running_call_has_no_permissions(runner: Runner, do: Do, web: Web) -> None:
    release = anyio.Event()

    async def wait() -> Response:
        await release.wait()
        return Response("done")

    async def call() -> None:
        await do("evaluate", script="fetch('/slow').then(answer => answer.text())")

    web.route("/slow", lambda _: wait())
    await do("navigate", url=web.page(PAGE))
    (session,) = runner.sessions
    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await web.wait_for_request("/slow")
        with pytest.raises(Denied, match="Only a call"):
            await session.tabs[0].evaluate("document.title")
        release.set()
