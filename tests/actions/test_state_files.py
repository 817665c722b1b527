"""State files with many origins: each is restored when it is visited, before the site's first script runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabwright.call import Answer
from tests.calls import Do
from tests.web import Request, Response, Web

READ = "<p id=out></p><script>out.textContent = `${localStorage.k} ${sessionStorage.s}`</script>"


def pairs(entries: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in entries.items()]


def state(
    local: dict[str, dict[str, str]], session: dict[str, dict[str, str]] | None = None
) -> dict[str, Any]:
    session = session or {}
    return {
        "cookies": [],
        "origins": [
            {
                "origin": origin,
                "localStorage": pairs(local.get(origin, {})),
                "sessionStorage": pairs(session.get(origin, {})),
            }
            for origin in {**local, **session}
        ],
    }


def saved_by(answer: Answer) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(answer.artifacts[0].content)
    return content


class Files:
    """State files in the caller's folder."""

    def __init__(self, do: Do, folder: Path) -> None:
        self._do = do
        self._folder = folder

    async def load(
        self, local: dict[str, dict[str, str]], session: dict[str, dict[str, str]] | None = None
    ) -> str:
        (self._folder / "state.json").write_text(json.dumps(state(local, session)))
        return (await self._do("load_state", path="state.json")).text


@pytest.fixture
def files(do: Do, tmp_path: Path) -> Files:
    return Files(do, tmp_path)


@pytest.fixture
def sites(web: Web) -> "list[str]":
    """Origins that reach the test's server; each is a separate site."""
    port = web.url.rpartition(":")[2]
    return [f"http://s{number}.localhost:{port}" for number in range(4)]


async def read(do: Do, target: str = "#out") -> str:
    return (await do("get_text", target=target)).text


async def test_two_thousand_origins_are_loaded_and_each_is_restored_when_visited(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    web.page(READ, "/")
    local = {f"https://s{number}.example": {"k": f"v{number}"} for number in range(2_000)}
    local |= {site: {"k": f"site{number}"} for number, site in enumerate(sites)}
    assert await files.load(local) == "Loaded 0 cookies and the storage of 2,004 origins."
    for number, site in enumerate(sites[:3]):
        await do("navigate", url=site)
        assert await read(do) == f"site{number} undefined"
    assert [request.headers["host"] for request in web.requests if request.path == "/"] == [
        site.removeprefix("http://") for site in sites[:3]
    ]
    assert len((await do("list_tabs")).text.splitlines()) == 1
    saved = await do("save_state")
    assert saved.text == "State of 0 cookies and the storage of 2,004 origins."
    again = {one["origin"]: one["localStorage"] for one in saved_by(saved)["origins"]}
    assert again == {origin: pairs(entries) for origin, entries in local.items()}


async def test_what_a_site_changes_after_it_was_restored_stays_changed(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    page = web.page(READ, "/")
    await files.load({sites[0]: {"k": "old", "gone": "x"}}, {sites[0]: {"s": "old"}})
    await do("navigate", url=sites[0])
    await do("set_storage", key="k", value="new")
    await do("clear_storage", key="gone")
    await do("set_storage", key="s", value="new", kind="session")
    await do("navigate", url=page)
    await do("navigate", url=sites[0])
    assert await read(do) == "new new"
    expected = state({sites[0]: {"k": "new"}}, {sites[0]: {"s": "new"}})
    assert saved_by(await do("save_state"))["origins"] == expected["origins"]


async def test_a_page_that_leaves_at_once_keeps_what_it_stored(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    web.page("<script>sessionStorage.s += '+'; localStorage.k += '+'; location = '/next'</script>", "/")
    web.page("<script>sessionStorage.s += '+'; localStorage.k += '+'; location = '/end'</script>", "/next")
    web.page(READ, "/end")
    await files.load({sites[0]: {"k": "a"}}, {sites[0]: {"s": "b"}})
    await do("navigate", url=sites[0])
    await do("wait_for", target="text=a++ b++")


async def test_a_redirect_restores_the_origin_it_ends_at(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    web.route("/go", lambda _: Response(status=302, headers={"location": f"{sites[1]}/"}))
    web.page(READ, "/")
    await files.load({site: {"k": site} for site in sites}, {sites[1]: {"s": "tab"}})
    await do("navigate", url=f"{sites[0]}/go")
    assert await read(do) == f"{sites[1]} tab"


async def test_a_form_that_is_sent_to_an_unvisited_origin_arrives_there(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    posted: list[bytes] = []

    def take(request: Request) -> Response:
        posted.append(request.body)
        return Response(READ, headers={"content-type": "text/html"})

    web.route("/take", take)
    page = web.page(f"<form method=post action='{sites[0]}/take'><input name=q value=1><button>Send</button>")
    await files.load({sites[0]: {"k": "v"}})
    await do("navigate", url=page)
    await do("click", target="text=Send")
    assert await read(do) == "v undefined"
    assert posted == [b"q=1"]


async def test_a_frame_of_the_same_site_is_restored_and_a_third_party_frame_is_not(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    part = sites[0].replace("http://", "http://part.")
    web.page(READ, "/frame")
    page = web.page(f"<iframe src='{part}/frame'></iframe><iframe src='{sites[1]}/frame'></iframe>", "/top")
    await files.load({part: {"k": "own"}, sites[1]: {"k": "third"}})
    await do("navigate", url=page.replace(web.url, sites[0]))
    shown = (await do("snapshot")).text
    assert "own undefined" in shown
    assert "third" not in shown
    await do("navigate", url=f"{sites[1]}/frame")
    assert await read(do) == "third undefined"


async def test_open_pages_get_the_entries_at_once(do: Do, web: Web, files: Files, sites: list[str]) -> None:
    web.page("<p id=out>-</p><script>onstorage = () => { out.textContent = localStorage.k }</script>", "/")
    await do("navigate", url=sites[0])
    await files.load({sites[0]: {"k": "added"}}, {sites[0]: {"s": "tab"}})
    await do("wait_for", target="text=added")
    assert (await do("evaluate", script="[localStorage.k, sessionStorage.s]")).text == '["added","tab"]'


async def test_two_tabs_that_visit_an_origin_at_once_restore_it_once(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    web.page("<script>localStorage.k += '+'; opener.postMessage(localStorage.k, '*')</script>", "/")
    page = web.page(
        f"<p id=out></p><button onclick=\"for (const n of [1, 2, 3]) open('{sites[0]}/')\">Open</button>"
        "<script>onmessage = event => { out.textContent += `${event.data.length} ` }</script>"
    )
    await files.load({sites[0]: {"k": "a"}})
    await do("navigate", url=page)
    await do("click", target="text=Open")
    await do("wait_for", target="text=4")
    assert sorted((await read(do)).split()) == ["2", "3", "4"]


async def test_a_cleared_origin_is_not_restored(do: Do, web: Web, files: Files, sites: list[str]) -> None:
    web.page(READ, "/")
    await files.load({sites[0]: {"k": "v"}, sites[1]: {"k": "w"}}, {sites[0]: {"s": "tab"}})
    await do("clear_site", url=sites[0])
    await do("navigate", url=sites[0])
    assert await read(do) == "undefined undefined"


async def test_mocked_and_blocked_requests_of_an_unvisited_origin_follow_their_rules(
    do: Do, files: Files, sites: list[str]
) -> None:
    await files.load({sites[0]: {"k": "v"}})
    await do("mock_requests", pattern=f"{sites[0]}/*", body=READ, headers=["content-type: text/html"])
    await do("navigate", url=f"{sites[0]}/mocked")
    assert await read(do) == "v undefined"


async def test_an_origin_with_a_service_worker_is_restored(
    do: Do, web: Web, files: Files, sites: list[str]
) -> None:
    web.route(
        "/worker.js",
        lambda _: Response(
            "onfetch = event => event.respondWith(new Response(`"
            + READ.replace("$", "\\$").replace("`", "\\`")
            + "`, {headers: {'content-type': 'text/html'}}))",
            headers={"content-type": "text/javascript"},
        ),
    )
    web.page(
        "<p id=out></p><script>navigator.serviceWorker.register('/worker.js');"
        "navigator.serviceWorker.ready.then(() => { out.textContent = 'ready' })</script>",
        "/register",
    )
    page = web.page("elsewhere")
    await do("navigate", url=f"{sites[0]}/register")
    await do("wait_for", target="text=ready")
    await do("navigate", url=page)
    await files.load({sites[0]: {"k": "v"}})
    await do("navigate", url=f"{sites[0]}/served")
    assert await read(do) == "v undefined"
    assert "/served" not in [request.path for request in web.requests]
