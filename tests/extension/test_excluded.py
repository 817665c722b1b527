"""A site that the user excludes is out of reach in frames too, and its pages work as if no agent were there."""

import json
from typing import Any

import anyio

from tests.extension.hub import Json, Link
from tests.extension.person import Person
from tests.web import Response, Web

REFUSED = "the extension does not allow"
FOLLOWING = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
PLANTED = "if (location.hostname.includes('bank')) fetch('/planted')"
BALANCE = "<title>Balance: 12</title><script>fetch('/seen')</script>"


def at(url: str, host: str) -> str:
    """Return a URL with another host name of this computer."""
    return url.replace("127.0.0.1", f"{host}.localhost")


def asked(web: Web) -> set[str]:
    return {request.path for request in web.requests}


async def attached(link: Link, tab: int) -> None:
    await link.does("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})


async def planted(link: Link, tab: int) -> None:
    """Attach as an agent that subscribes to everything and installs a script for future pages."""
    await attached(link, tab)
    for method in ("Page.enable", "Network.enable", "Runtime.enable"):
        await link.cdp(tab, method)
    await link.cdp(tab, "Page.addScriptToEvaluateOnNewDocument", source=PLANTED)
    await link.cdp(tab, "Target.setAutoAttach", **FOLLOWING)


async def within(link: Link, tab: int, session: str, method: str, **params: Any) -> Json:
    """Send a command to a frame with its own session."""
    args = {"method": method, "params": params, "sessionId": session}
    return await link.asks("callTool", tabId=tab, toolName="cdp", args=args)


def embed(url: str) -> str:
    return (
        f"document.body.append(Object.assign(document.createElement('iframe'), {{src: {json.dumps(url)}}}))"
    )


async def shows(person: Person, url: str, frame: str) -> None:
    """Wait until the user's tab has a frame with that URL."""
    frames = "chrome.webNavigation.getAllFrames({tabId: tab.id})"
    await person.desk.until(
        f"chrome.tabs.query({{url: {json.dumps(url)}}}).then(([tab]) => {frames})"
        f".then(all => all.some(one => one.url === {json.dumps(frame)} && one.documentId))"
    )


async def test_a_page_with_an_inseparable_excluded_frame_is_out_of_reach(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page(BALANCE), "bank.example")
    page = at(web.page(f"<title>Holds</title><iframe src='{bank}'></iframe>"), "www.example")
    free = at(web.page("<title>Free</title><body>"), "www.example")
    await person.orders("exclude", site="bank.example.localhost")
    tab = await person.shares(page)
    words = "it holds a frame of another site, and the user excludes bank.example.localhost"
    answer = await link.asks("callTool", tabId=tab, toolName="attach", args={})
    assert answer["error"] == f"{REFUSED} this page: {words}"

    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free)}}})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Free')")
    web.requests.clear()
    await planted(link, tab)
    told = len(link.received)
    await link.cdp(tab, "Runtime.evaluate", expression=embed(bank))
    assert (await link.heard("detached"))["reason"] == "excluded frame"
    assert (await link.heard("toolsChanged", tabId=tab))["tools"] == []
    await shows(person, free, bank)
    await web.wait_for_request("/seen")
    assert "/planted" not in asked(web)
    assert "bank." not in json.dumps([one for one in link.received[told:] if one["type"] == "cdpEvent"])
    answer = await link.cdp(tab, "Runtime.evaluate", expression="frames[0].document.title")
    assert answer["error"] == f"{REFUSED} this page: {words}"
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free + '?again')}}})")
    assert (await link.heard("toolsChanged", tabId=tab))["tools"] != []
    await attached(link, tab)


async def test_a_frame_that_navigates_to_an_excluded_site_gets_no_commands(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page(BALANCE), "bank")
    away = at(web.route("/away", lambda _: Response("", 302, {"Location": bank})), "shop")
    page = web.page("<title>Outside</title><body>")
    tab = await person.shares(page)
    await person.orders("exclude", site="bank.localhost")
    await planted(link, tab)
    for url in (bank, away):
        web.requests.clear()
        await link.cdp(tab, "Runtime.evaluate", expression=embed(url))
        event = await link.heard("cdpEvent", method="Target.attachedToTarget")
        session = event["params"]["sessionId"]
        assert (event["params"]["targetInfo"]["url"], event["params"]["targetInfo"]["title"]) == ("", "")
        for method, params in (
            ("Page.enable", {}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": PLANTED}),
            ("Runtime.evaluate", {"expression": "document.title"}),
        ):
            answer = await within(link, tab, session, method, **params)
            assert answer["error"] == f"{REFUSED} this frame: the user excludes bank.localhost"
        await within(link, tab, session, "Runtime.runIfWaitingForDebugger")
        await web.wait_for_request("/seen")
        assert "/planted" not in asked(web)
    assert (await link.cdp(tab, "Runtime.evaluate", expression="document.title"))["result"]["result"]["value"]
    events = [one for one in link.received if one["type"] == "cdpEvent"]
    telling = {one["method"] for one in events if "bank." in json.dumps(one)}
    assert telling == {"Network.responseReceivedExtraInfo"}  # the shop's own answer, which says where to


async def test_a_redirect_to_an_excluded_site_takes_no_script_there(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page(BALANCE), "bank")
    away = web.route("/away", lambda _: Response("", 302, {"Location": bank}))
    tab = await person.shares(web.page("<title>Allowed</title>"))
    await person.orders("exclude", site="bank.localhost")
    await planted(link, tab)
    web.requests.clear()
    await link.cdp(tab, "Page.navigate", url=away)
    assert (await link.heard("detached"))["reason"] == "excluded"
    await web.wait_for_request("/seen")
    assert "/planted" not in asked(web)


async def test_requests_of_an_excluded_site_continue_unseen(link: Link, person: Person, web: Web) -> None:
    headers = {"access-control-allow-origin": "*", "content-type": "text/plain"}
    web.route("/data", lambda _: Response("data", headers=headers))
    bank, shop = at(f"{web.url}/data", "bank"), at(web.page("<title>Shop</title>"), "shop")
    tab = await person.shares(web.page(f"<title>Outside</title><iframe src='{shop}'></iframe>"))
    await person.orders("exclude", site="bank.localhost")
    await planted(link, tab)
    frame = (await link.heard("cdpEvent", method="Target.attachedToTarget"))["params"]["sessionId"]
    await link.cdp(tab, "Fetch.enable", patterns=[{"urlPattern": "*/data*"}])
    await within(link, tab, frame, "Fetch.enable", patterns=[{"urlPattern": "*/data*"}])
    reading = {"awaitPromise": True, "returnByValue": True}
    fetching = f"fetch({json.dumps(bank)}).then(answer => answer.text())"
    with anyio.fail_after(5):
        answer = await link.cdp(tab, "Runtime.evaluate", expression=fetching, **reading)
    assert answer["result"]["result"]["value"] == "data"

    began = "for (const no of [1, 2]) setTimeout(() => fetch('/data?' + no), no * 50)"
    link.send(
        type="callTool", callId="own", tabId=tab, toolName="cdp",
        args={"method": "Runtime.evaluate", "params": {"expression": began}, "sessionId": frame},
    )  # fmt: skip
    paused = (await link.heard("cdpEvent", method="Fetch.requestPaused"))["params"]
    assert paused["request"]["url"].endswith("/data?1")
    web.requests.clear()
    await person.orders("exclude", site="shop.localhost")
    [target] = [one for one in await person.targets("iframe") if one["url"] == shop]
    inside = await person.attach(target["targetId"])
    with anyio.fail_after(5):
        assert await inside.run("fetch('/data?3').then(answer => answer.text())") == "data"
    assert "/data" in asked(web)
    events = [one["params"] for one in link.received if one.get("method") == "Fetch.requestPaused"]
    assert "?3" not in json.dumps(events)
    assert "bank." not in json.dumps(events)


async def test_bodies_are_read_by_reported_ids_and_requests_keep_their_url(
    link: Link, person: Person, web: Web
) -> None:
    headers = {"access-control-allow-origin": "*", "content-type": "text/plain"}
    web.route("/data", lambda _: Response("Balance: 12", headers=headers))
    bank = at(f"{web.url}/data", "bank")
    tab = await person.shares(web.page("<title>Outside</title>"))
    await attached(link, tab)
    await link.cdp(tab, "Network.enable")
    await link.cdp(tab, "Runtime.evaluate", expression=f"fetch({json.dumps(bank)})")
    request = (await link.heard("cdpEvent", method="Network.loadingFinished"))["params"]["requestId"]
    await person.orders("exclude", site="bank.localhost")
    for asked_for, why in (
        (request, "the user excludes bank.localhost"),
        ("1.1", "this request was not reported"),
    ):
        for method in ("Network.getResponseBody", "Network.getRequestPostData"):
            answer = await link.cdp(tab, method, requestId=asked_for)
            assert answer["error"] == f"{REFUSED} this {method}: {why}"
    answer = await link.cdp(tab, "Fetch.continueRequest", requestId="1", url=bank)
    assert answer["error"] == f"{REFUSED} this Fetch.continueRequest: its URL cannot be changed"
    own = await link.cdp(tab, "Runtime.evaluate", expression="fetch('/data')")
    assert "error" not in own
    request = (await link.heard("cdpEvent", method="Network.loadingFinished"))["params"]["requestId"]
    read = await link.cdp(tab, "Network.getResponseBody", requestId=request)
    assert read["result"]["body"] == "Balance: 12"


async def test_a_used_frame_takes_no_script_to_an_excluded_site(link: Link, person: Person, web: Web) -> None:
    bank = at(web.page(BALANCE), "bank")
    shop = at(web.page("<title>Shop</title>"), "shop")
    page = web.page(f"<title>Outside</title><iframe src='{shop}'></iframe>")
    tab = await person.shares(page)
    await person.orders("exclude", site="bank.localhost")
    await planted(link, tab)
    frame = (await link.heard("cdpEvent", method="Target.attachedToTarget"))["params"]["sessionId"]
    await within(link, tab, frame, "Page.addScriptToEvaluateOnNewDocument", source=PLANTED)
    web.requests.clear()
    going = f"location.href = {json.dumps(bank)}"
    link.send(
        type="callTool", callId="go", tabId=tab, toolName="cdp",
        args={"method": "Runtime.evaluate", "params": {"expression": going}, "sessionId": frame},
    )  # fmt: skip
    assert (await link.heard("detached"))["reason"] == "excluded frame"
    await web.wait_for_request("/seen")
    assert "/planted" not in asked(web)


async def test_going_back_to_a_page_with_an_excluded_frame_is_refused(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page("<title>Balance: 12</title>"), "bank.example")
    page = at(web.page(f"<title>Holds</title><iframe src='{bank}'></iframe>"), "www.example")
    free = at(web.page("<title>Free</title><body>"), "www.example")
    await person.orders("exclude", site="bank.example.localhost")
    tab = await person.shares(page)
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free)}}})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Free')")
    await planted(link, tab)
    await link.cdp(tab, "Runtime.evaluate", expression="history.back()", userGesture=True)
    assert (await link.heard("detached"))["reason"] == "excluded frame"
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Holds')")
    answer = await link.cdp(tab, "Runtime.evaluate", expression="frames[0].document.title")
    assert answer["error"].startswith(f"{REFUSED} this page: it holds a frame of another site")
