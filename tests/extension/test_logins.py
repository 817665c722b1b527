"""Logins in the user's Chrome: no agent can read, set or delete a cookie, or read a token."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.extension.hub import Link
from tests.extension.linked import LinkedHub, run_linked_hub
from tests.extension.person import Person
from tests.web import Request, Response, Web

LOGIN = {"set-cookie": "login=s3cret; HttpOnly", "content-type": "text/html"}
# What Chrome adds by itself once the user typed name and password, and what pages add for their own servers.
BASIC = "Basic YW5uOnMzY3JldA=="
TOKENS = {"authorization": "Bearer s3cret", "x-api-key": "s3cret", "x-csrf-token": "s3cret"}
# The value is escaped, so that the text of the page does not contain it.
FETCH_DATA = f"fetch('data', {{headers: {json.dumps(TOKENS)}}})".replace("s3cret", "s3\\u0063ret")


@pytest.fixture
async def linked(person: Person, tmp_path: Path) -> AsyncIterator[LinkedHub]:
    async with run_linked_hub(person, tmp_path) as hub:
        yield hub
        await person.reset()


def add_account_page(web: Web, name: str) -> str:
    """Serve a page that logs its visitor in with a cookie for its path; return its URL."""
    return web.route(f"/{name}/account", lambda _: Response("<title>Account</title>", headers=LOGIN))


def login_cookies(web: Web, path: str) -> list[str]:
    """Return the login cookie of each request for a path; other tests leave other cookies in this Chrome."""
    cookies = (request.headers.get("cookie", "") for request in web.requests if request.path == path)
    return ["; ".join(one for one in cookie.split("; ") if one.startswith("login=")) for cookie in cookies]


async def test_reported_requests_have_no_cookies(linked: LinkedHub, person: Person, web: Web) -> None:
    url = add_account_page(web, "har")
    await linked.wait_for_tab(await person.share_tab(url))
    await linked.do("connect_browser")
    await linked.do("start_har")
    await linked.do("reload")
    [line] = (await linked.do("list_requests")).text.splitlines()[:1]
    request = await linked.do("get_request", id=line.split()[0])
    har = (await linked.do("stop_har")).artifacts[0].content.decode()
    assert ("text/html" in request.text, "text/html" in har) == (True, True)
    for text in (request.text, request.result.model_dump_json(), har):
        assert "s3cret" not in text
    assert login_cookies(web, "/har/account") == ["", "login=s3cret"]


async def open_members_page(person: Person, web: Web, name: str) -> str:
    """Open a page whose password the user enters, and return its URL; it requests data with tokens."""

    def page(request: Request) -> Response:
        if "authorization" not in request.headers:
            return Response("", 401, {"www-authenticate": 'Basic realm="Members"'})
        script = f"{FETCH_DATA}.then(() => document.title = 'Ready')"
        return Response(f"<script>{script}</script>", headers={"content-type": "text/html"})

    data = {"content-type": "text/plain", "x-auth-token": "s3cret"}
    web.route(f"/{name}/data", lambda _: Response("12 letters", headers=data))
    url = web.route(f"/{name}/members", page)
    await person.open_tab(url.replace("//", "//ann:s3cret@"))
    return url


def tokens(web: Web, path: str) -> list[dict[str, str]]:
    """Return the tokens in the latest request for a path, and the header that the agent set."""
    [request] = [request for request in web.requests if request.path == path][-1:]
    return [{name: value for name, value in request.headers.items() if name in {*TOKENS, "x-agent"}}]


async def test_reported_requests_have_no_authorization(linked: LinkedHub, person: Person, web: Web) -> None:
    await linked.wait_for_tab(await person.share_tab(await open_members_page(person, web, "reported")))
    await linked.do("connect_browser")
    await linked.do("start_har")
    await linked.do("reload")
    await linked.do("wait_for_script", script="document.title === 'Ready'")
    lines = (await linked.do("list_requests", pattern="*/reported/*")).text.splitlines()
    requests = [await linked.do("get_request", id=line.split()[0], body=False) for line in lines]
    har = (await linked.do("stop_har")).artifacts[0].content.decode()
    texts = [*(one.text for one in requests), *(one.result.model_dump_json() for one in requests), har]
    assert [line.split()[2] for line in lines] == [f"{web.url}/reported/members", f"{web.url}/reported/data"]
    assert ("text/plain" in requests[1].text, "text/plain" in har) == (True, True)
    for text in texts:
        assert [secret for secret in ("s3cret", BASIC) if secret in text] == []
    assert tokens(web, "/reported/members") == [{"authorization": BASIC}]
    assert tokens(web, "/reported/data") == [TOKENS]


async def test_set_headers_leave_the_users_authorization_unchanged(
    linked: LinkedHub, person: Person, web: Web
) -> None:
    await linked.wait_for_tab(await person.share_tab(await open_members_page(person, web, "headers")))
    await linked.do("connect_browser")
    await linked.do("set_headers", headers=["x-agent: 1"], origin=web.url)
    await linked.do("reload")
    await linked.do("wait_for_script", script="document.title === 'Ready'")
    assert tokens(web, "/headers/members") == [{"authorization": BASIC, "x-agent": "1"}]
    assert tokens(web, "/headers/data") == [{**TOKENS, "x-agent": "1"}]
    await linked.do("set_headers", headers=["Authorization: Bearer mine"], origin=web.url)
    await linked.do("evaluate", script=f"{FETCH_DATA}.then(() => 1)")
    assert tokens(web, "/headers/data") == [{**TOKENS, "authorization": "Bearer mine"}]


async def test_set_headers_and_mocks_leave_the_users_cookies_unchanged(
    linked: LinkedHub, person: Person, web: Web
) -> None:
    url = add_account_page(web, "rules")
    await linked.wait_for_tab(await person.share_tab(url))
    await linked.do("connect_browser")
    await linked.do("set_headers", headers=["x-agent: 1"], origin=web.url)
    await linked.do("reload")
    assert login_cookies(web, "/rules/account") == ["", "login=s3cret"]
    assert web.requests[-1].headers.get("x-agent") == "1"
    await linked.do(
        "mock_requests", pattern=f"{web.url}/rules/mocked", headers=["set-cookie: login=stolen"], body="x"
    )
    assert (await linked.do("evaluate", script="fetch('mocked').then(answer => answer.text())")).text == "x"
    await linked.do("reload")
    assert login_cookies(web, "/rules/account")[-1] == "login=s3cret"


async def test_clearing_a_site_leaves_the_user_logged_in(linked: LinkedHub, person: Person, web: Web) -> None:
    url = add_account_page(web, "clear")
    await linked.wait_for_tab(await person.share_tab(url))
    await linked.do("connect_browser")
    await linked.do("set_storage", key="theme", value="dark")
    message = (await linked.do("clear_site", url=web.url)).text
    assert message == f"Deleted all data of {web.url}, except cookies: they are the user's logins."
    assert (await linked.do("get_storage")).text == "{}"
    await linked.do("reload")
    assert login_cookies(web, "/clear/account") == ["", "login=s3cret"]


async def test_the_extension_removes_cookies_itself(link: Link, person: Person, web: Web) -> None:
    def redirect(_: Request) -> Response:
        return Response("", 302, {"location": "/moved/account", "set-cookie": "login=s3cret; HttpOnly"})

    add_account_page(web, "moved")
    tab = await person.share_tab(web.page("<title>Front</title>"))
    await link.call("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
    for types in ("all", "cookies", "local_storage, cookies", "other", ""):
        answer = await link.cdp(tab, "Storage.clearDataForOrigin", origin=web.url, storageTypes=types)
        why = "cookies are the user's; list the storage types"
        assert answer["error"] == f"the extension does not allow this Storage.clearDataForOrigin: {why}"
    await link.cdp(tab, "Network.enable")
    stages = [{"requestStage": "Request"}, {"requestStage": "Response"}]
    await link.cdp(tab, "Fetch.enable", patterns=stages)
    link.send(
        type="callTool", callId="go", tabId=tab, toolName="cdp",
        args={"method": "Page.navigate", "params": {"url": web.route("/moved/first", redirect)}},
    )  # fmt: skip
    for _ in range(4):  # two requests, each paused before it is sent and at its response
        paused = (await link.receive("cdpEvent", method="Fetch.requestPaused"))["params"]
        await link.cdp(tab, "Fetch.continueRequest", requestId=paused["requestId"])
    await link.receive("toolResult", callId="go")
    await link.receive("cdpEvent", method="Network.loadingFinished")
    methods = {message["method"] for message in link.received if message["type"] == "cdpEvent"}
    assert {"Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo"} <= methods
    assert "s3cret" not in json.dumps(link.received)
    assert login_cookies(web, "/moved/account") == ["login=s3cret"]
    answer = await link.cdp(
        tab, "Fetch.fulfillRequest", requestId="1", responseCode=200, binaryResponseHeaders=""
    )
    why = "headers must be given one by one"
    assert answer["error"] == f"the extension does not allow this Fetch.fulfillRequest: {why}"


async def test_the_extension_removes_authorization_itself(link: Link, person: Person, web: Web) -> None:
    tab = await person.share_tab(await open_members_page(person, web, "extension"))
    await link.call("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
    await link.cdp(tab, "Network.enable")
    stages = [{"urlPattern": "*/data", "requestStage": stage} for stage in ("Request", "Response")]
    await link.cdp(tab, "Fetch.enable", patterns=stages)
    await link.cdp(tab, "Runtime.evaluate", expression=FETCH_DATA)
    for stage in ("request", "answer"):
        paused = (await link.receive("cdpEvent", method="Fetch.requestPaused"))["params"]
        changes = {"headers": [{"name": "x-agent", "value": "1"}]} if stage == "request" else {}
        await link.cdp(tab, "Fetch.continueRequest", requestId=paused["requestId"], **changes)
    await link.receive("cdpEvent", method="Network.loadingFinished")
    methods = {message["method"] for message in link.received if message["type"] == "cdpEvent"}
    assert {"Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo"} <= methods
    assert [secret for secret in ("s3cret", BASIC) if secret in json.dumps(link.received)] == []
    assert tokens(web, "/extension/data") == [{**TOKENS, "x-agent": "1"}]
    answer = await link.cdp(
        tab, "Fetch.continueRequest", requestId="1", url=f"{web.other_site}/extension/data"
    )
    why = "its URL cannot be changed"
    assert answer["error"] == f"the extension does not allow this Fetch.continueRequest: {why}"
