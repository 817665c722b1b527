"""No session reaches the hub's own ports, so that an agent cannot approve its own calls."""

import socket
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tabwright.app import running
from tabwright.browser.user_chrome.links import ExtensionLinks
from tabwright.call import Answer, Call
from tabwright.doors.extension.server import ExtensionDoor
from tabwright.doors.http.app import BindAddress
from tabwright.errors import Denied
from tabwright.policy.callers.approvals import Approvals
from tabwright.policy.callers.chrome_pairing import PairedChromes
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.settings import SecuritySettings, Settings
from tests.browser.test_attach import external_browser
from tests.doors.http.wired import Wired, http_door, wired
from tests.web import Response, Web

# How a page can try to reach the hub by itself.
ATTEMPTS = """async ([host, port]) => {
    const url = `http://${host}:${port}`;
    const image = new Promise(done => {
        const made = new Image();
        made.onload = () => done("loaded");
        made.onerror = () => done("failed");
        made.src = `${url}/dashboard/style.css`;
    });
    const socket = new Promise(done => {
        const made = new WebSocket(`ws://${host}:${port}/`);
        made.onopen = () => done("open");
        made.onerror = () => done("failed");
    });
    const fetched = await fetch(`${url}/api/health`, {mode: "no-cors"}).then(a => a.type, () => "failed");
    return [await image, await socket, fetched];
}"""


@pytest.fixture(scope="module")
async def hub(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


async def act(runner: Runner, action: str, session: str = "shop", **args: object) -> Answer:
    agent = Principal("local:agent")
    return await runner.run(Call(action=action, args=args, principal=agent, session=session))


def refusal(port: int, host: str = "127.0.0.1") -> str:
    return f"{host}:{port} is refused: sessions may not reach the ports of Tabwright itself."


async def test_an_agent_cannot_reach_the_dashboard_that_approves_its_calls(hub: Wired, web: Web) -> None:
    hub.runner.approvals = Approvals(["destroy"])
    away = web.route("/away", lambda _: Response("", 302, {"location": hub.url}))
    home = web.page(f"<a href={hub.url}>Its page</a><iframe src={hub.url}></iframe>")
    outcomes: list[str] = []

    async def close() -> None:
        try:
            await act(hub.runner, "close_tab", id="t1")
        except Denied as denied:
            outcomes.append(denied.message)

    async with anyio.create_task_group() as group:
        await act(hub.runner, "navigate", url=home)
        group.start_soon(close)
        with anyio.fail_after(60):
            await hub.runner.approvals.changed.until(lambda: bool(hub.runner.approvals.waiting))
        for host in ("127.0.0.1", "localhost", "[::1]", "app.localhost"):
            with pytest.raises(Denied) as denied:
                await act(hub.runner, "navigate", "other", url=f"http://{host}:{hub.port}/")
            assert denied.value.message == refusal(hub.port, host)
        with pytest.raises(Denied) as denied:
            await act(hub.runner, "navigate", "other", url=away)
        assert denied.value.message == refusal(hub.port)
        await act(hub.runner, "navigate", "other", url=home)
        assert refusal(hub.port) in (await act(hub.runner, "click", "other", target="text=Its page")).text
        [number] = [question.number for question in hub.runner.approvals.waiting]
        hub.runner.approvals.decide(number, allow=False)
    assert outcomes == ["A person refused close_tab."]


@pytest.mark.usefixtures("as_owner")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_page_cannot_reach_the_hub_by_itself(hub: Wired, web: Web, host: str) -> None:
    await act(hub.runner, "navigate", "ways", url=web.page("Elsewhere"))
    tab = await (await hub.runner.sessions.get("local:agent", "ways")).tab()
    add_frame = "frame => { frame.src = `http://${args[0]}:${args[1]}/`; document.body.append(frame); }"
    script = f"({add_frame})(document.createElement('iframe')), ({ATTEMPTS})(args)"
    image, socket_, fetched = await tab.evaluate(script, host, str(hub.port))
    assert (image, socket_) == ("failed", "failed")
    assert fetched == "opaque"  # the gate's own response, which reports the refusal
    gate = tab.context.gate
    failure = gate.failure(f"http://{host}:{hub.port}/")
    assert isinstance(failure, Denied)
    assert failure.message == refusal(hub.port, host)


async def test_the_second_port_and_the_extension_port_are_unreachable_too(hub: Wired, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        second = free.getsockname()[1]
    extension = ExtensionDoor(
        PairedChromes(tmp_path / "chromes.json"), ExtensionLinks(), ports=hub.runner.ports
    )
    async with (
        http_door(hub.runner, tmp_path, address=BindAddress(second_port=second)),
        extension.open("any"),
    ):
        for port in (second, await extension.listen()):
            with pytest.raises(Denied) as denied:
                await act(hub.runner, "navigate", url=f"http://127.0.0.1:{port}/")
            assert denied.value.message == refusal(port)
    with pytest.raises(Exception, match="could not be loaded"):
        await act(hub.runner, "navigate", url=f"http://127.0.0.1:{second}/")


async def test_the_hub_of_the_settings_is_unreachable_from_other_processes() -> None:
    async with running(Settings(api_port=38_999, http_port=38_998)) as runner:
        for port in (38_999, 38_998):
            with pytest.raises(Denied) as denied:
                await act(runner, "navigate", url=f"http://127.0.0.1:{port}/")
            assert denied.value.message == refusal(port)


async def test_in_the_users_chrome_callers_cannot_use_pages_of_the_hub(tmp_path: Path, web: Web) -> None:
    security = SecuritySettings(block_eval=False)
    async with (
        external_browser(tmp_path / "profile") as users,
        running(Settings(attach=users.port, security=security)) as runner,
        http_door(runner, tmp_path) as url,
    ):
        port = int(url.rpartition(":")[2])
        await act(runner, "connect_browser")
        with pytest.raises(Denied) as denied:
            await act(runner, "new_tab", url=url)
        assert denied.value.message == refusal(port)
        await act(runner, "new_tab", url=web.page(f"<a href={url}>Its page</a>"))
        with pytest.raises(Denied) as denied:
            await act(runner, "click", target="text=Its page")
        assert denied.value.message == refusal(port)
        for action, args in (("snapshot", {}), ("click", {"target": "text=API"}), ("press", {"key": "Tab"})):
            with pytest.raises(Denied) as denied:
                await act(runner, action, **args)
            assert denied.value.message == refusal(port)
        # An action that waits while a script of the page navigates there is refused too.
        later = web.page(f"<script>setTimeout(() => {{ location = '{url}' }}, 500)</script>")
        await act(runner, "new_tab", url=later)
        with pytest.raises(Denied) as denied:
            await act(runner, "click", target="text=API", timeout=10)
        assert denied.value.message == refusal(port)
        assert (await act(runner, "list_tabs")).text.splitlines()[-1].endswith(f" (current): {url}/")
