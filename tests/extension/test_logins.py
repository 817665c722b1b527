"""Logins in the user's Chrome: no agent can read, set or delete a cookie, or read a token."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.extension.hub import Link
from tests.extension.linked import Linked, hub_of
from tests.extension.person import Person
from tests.web import Request, Response, Web

LOGIN = {"set-cookie": "login=s3cret; HttpOnly", "content-type": "text/html"}
# What a person's Chrome adds by itself after they typed name and password, and what pages add for their own servers.
BASIC = "Basic YW5uOnMzY3JldA=="
TOKENS = {"authorization": "Bearer s3cret", "x-api-key": "s3cret", "x-csrf-token": "s3cret"}
# The value is spelled otherwise, so that it is not found in the text of the page.
ASKING = f"fetch('data', {{headers: {json.dumps(TOKENS)}}})".replace("s3cret", "s3\\u0063ret")


@pytest.fixture
async def linked(person: Person, tmp_path: Path) -> AsyncIterator[Linked]:
    async with hub_of(person, tmp_path) as hub:
        yield hub
        await person.tidies_up()


def account(web: Web, name: str) -> str:
    """A page that logs its visitor in with a cookie for its own path."""
    return web.route(f"/{name}/account", lambda _: Response("<title>Account</title>", headers=LOGIN))


def sent(web: Web, path: str) -> list[str]:
    """The login cookie of each request for a path; other tests leave other cookies in this Chrome."""
    cookies = (request.headers.get("cookie", "") for request in web.requests if request.path == path)
    return ["; ".join(one for one in cookie.split("; ") if one.startswith("login=")) for cookie in cookies]


async def test_reported_requests_have_no_cookies(linked: Linked, person: Person, web: Web) -> None:
    url = account(web, "har")
    await linked.knows(await person.shares(url))
    await linked.do("connect_browser")
    await linked.do("start_har")
    await linked.do("reload")
    [line] = (await linked.do("list_requests")).text.splitlines()[:1]
    told = [await linked.do("get_request", id=line.split()[0]), await linked.do("stop_har")]
    har = told[1].artifacts[0].content.decode()
    assert ("text/html" in told[0].text, "text/html" in har) == (True, True)
    for text in (told[0].text, told[0].result.model_dump_json(), har):
        assert "s3cret" not in text
    assert sent(web, "/har/account") == ["", "login=s3cret"]


async def members_only(person: Person, web: Web, name: str) -> str:
    """A page behind a password, which the user gave; it requests data with tokens."""

    def page(request: Request) -> Response:
        if "authorization" not in request.headers:
            return Response("", 401, {"www-authenticate": 'Basic realm="Members"'})
        script = f"{ASKING}.then(() => document.title = 'Ready')"
        return Response(f"<script>{script}</script>", headers={"content-type": "text/html"})

    data = {"content-type": "text/plain", "x-auth-token": "s3cret"}
    web.route(f"/{name}/data", lambda _: Response("12 letters", headers=data))
    url = web.route(f"/{name}/members", page)
    await person.opens(url.replace("//", "//ann:s3cret@"))
    return url


def tokens(web: Web, path: str) -> list[dict[str, str]]:
    """The authorization of the latest request for a path, and the header of the agent."""
    [request] = [request for request in web.requests if request.path == path][-1:]
    return [{name: value for name, value in request.headers.items() if name in {*TOKENS, "x-agent"}}]


async def test_reported_requests_have_no_authorization(linked: Linked, person: Person, web: Web) -> None:
    await linked.knows(await person.shares(await members_only(person, web, "told")))
    await linked.do("connect_browser")
    await linked.do("start_har")
    await linked.do("reload")
    await linked.do("wait_for_script", script="document.title === 'Ready'")
    lines = (await linked.do("list_requests", pattern="*/told/*")).text.splitlines()
    told = [await linked.do("get_request", id=line.split()[0], body=False) for line in lines]
    har = (await linked.do("stop_har")).artifacts[0].content.decode()
    texts = [*(one.text for one in told), *(one.result.model_dump_json() for one in told), har]
    assert [line.split()[2] for line in lines] == [f"{web.url}/told/members", f"{web.url}/told/data"]
    assert ("text/plain" in told[1].text, "text/plain" in har) == (True, True)
    for text in texts:
        assert [secret for secret in ("s3cret", BASIC) if secret in text] == []
    assert tokens(web, "/told/members") == [{"authorization": BASIC}]
    assert tokens(web, "/told/data") == [TOKENS]


async def test_set_headers_leave_the_users_authorization_unchanged(
    linked: Linked, person: Person, web: Web
) -> None:
    await linked.knows(await person.shares(await members_only(person, web, "dressed")))
    await linked.do("connect_browser")
    await linked.do("set_headers", headers=["x-agent: 1"], origin=web.url)
    await linked.do("reload")
    await linked.do("wait_for_script", script="document.title === 'Ready'")
    assert tokens(web, "/dressed/members") == [{"authorization": BASIC, "x-agent": "1"}]
    assert tokens(web, "/dressed/data") == [{**TOKENS, "x-agent": "1"}]
    await linked.do("set_headers", headers=["Authorization: Bearer mine"], origin=web.url)
    await linked.do("evaluate", script=f"{ASKING}.then(() => 1)")
    assert tokens(web, "/dressed/data") == [{**TOKENS, "authorization": "Bearer mine"}]


async def test_set_headers_and_mocks_leave_the_users_cookies_unchanged(
    linked: Linked, person: Person, web: Web
) -> None:
    url = account(web, "rules")
    await linked.knows(await person.shares(url))
    await linked.do("connect_browser")
    await linked.do("set_headers", headers=["x-agent: 1"], origin=web.url)
    await linked.do("reload")
    assert sent(web, "/rules/account") == ["", "login=s3cret"]
    assert web.requests[-1].headers.get("x-agent") == "1"
    await linked.do(
        "mock_requests", pattern=f"{web.url}/rules/mocked", headers=["set-cookie: login=stolen"], body="x"
    )
    assert (await linked.do("evaluate", script="fetch('mocked').then(answer => answer.text())")).text == "x"
    await linked.do("reload")
    assert sent(web, "/rules/account")[-1] == "login=s3cret"


async def test_clearing_a_site_leaves_the_user_logged_in(linked: Linked, person: Person, web: Web) -> None:
    url = account(web, "clear")
    await linked.knows(await person.shares(url))
    await linked.do("connect_browser")
    await linked.do("set_storage", key="theme", value="dark")
    told = (await linked.do("clear_site", url=web.url)).text
    assert told == f"Deleted all data of {web.url}, except cookies: they are the user's logins."
    assert (await linked.do("get_storage")).text == "{}"
    await linked.do("reload")
    assert sent(web, "/clear/account") == ["", "login=s3cret"]


async def test_the_extension_removes_cookies_itself(link: Link, person: Person, web: Web) -> None:
    def moved(_: Request) -> Response:
        return Response("", 302, {"location": "/moved/account", "set-cookie": "login=s3cret; HttpOnly"})

    account(web, "moved")
    tab = await person.shares(web.page("<title>Front</title>"))
    await link.does("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
    for types in ("all", "cookies", "local_storage, cookies", "other", ""):
        answer = await link.cdp(tab, "Storage.clearDataForOrigin", origin=web.url, storageTypes=types)
        why = "cookies are the user's; list the storage types"
        assert answer["error"] == f"the extension does not allow this Storage.clearDataForOrigin: {why}"
    await link.cdp(tab, "Network.enable")
    stages = [{"requestStage": "Request"}, {"requestStage": "Response"}]
    await link.cdp(tab, "Fetch.enable", patterns=stages)
    link.send(
        type="callTool", callId="go", tabId=tab, toolName="cdp",
        args={"method": "Page.navigate", "params": {"url": web.route("/moved/first", moved)}},
    )  # fmt: skip
    for _ in range(4):  # two requests, each as it goes and as its answer comes
        paused = (await link.heard("cdpEvent", method="Fetch.requestPaused"))["params"]
        await link.cdp(tab, "Fetch.continueRequest", requestId=paused["requestId"])
    await link.heard("toolResult", callId="go")
    await link.heard("cdpEvent", method="Network.loadingFinished")
    heard = {message["method"] for message in link.received if message["type"] == "cdpEvent"}
    assert {"Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo"} <= heard
    assert "s3cret" not in json.dumps(link.received)
    assert sent(web, "/moved/account") == ["login=s3cret"]
    answer = await link.cdp(
        tab, "Fetch.fulfillRequest", requestId="1", responseCode=200, binaryResponseHeaders=""
    )
    why = "headers must be given one by one"
    assert answer["error"] == f"the extension does not allow this Fetch.fulfillRequest: {why}"


async def test_the_extension_removes_authorization_itself(link: Link, person: Person, web: Web) -> None:
    tab = await person.shares(await members_only(person, web, "kept"))
    await link.does("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})
    await link.cdp(tab, "Network.enable")
    stages = [{"urlPattern": "*/data", "requestStage": stage} for stage in ("Request", "Response")]
    await link.cdp(tab, "Fetch.enable", patterns=stages)
    await link.cdp(tab, "Runtime.evaluate", expression=ASKING)
    for stage in ("request", "answer"):
        paused = (await link.heard("cdpEvent", method="Fetch.requestPaused"))["params"]
        given = {"headers": [{"name": "x-agent", "value": "1"}]} if stage == "request" else {}
        await link.cdp(tab, "Fetch.continueRequest", requestId=paused["requestId"], **given)
    await link.heard("cdpEvent", method="Network.loadingFinished")
    heard = {message["method"] for message in link.received if message["type"] == "cdpEvent"}
    assert {"Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo"} <= heard
    assert [secret for secret in ("s3cret", BASIC) if secret in json.dumps(link.received)] == []
    assert tokens(web, "/kept/data") == [{**TOKENS, "x-agent": "1"}]
    answer = await link.cdp(tab, "Fetch.continueRequest", requestId="1", url=f"{web.other_site}/kept/data")
    why = "its URL cannot be changed"
    assert answer["error"] == f"the extension does not allow this Fetch.continueRequest: {why}"
