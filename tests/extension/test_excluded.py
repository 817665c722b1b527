"""A site that the user excludes is out of reach in frames too, and its pages work as if no agent were connected."""

import json
from typing import Any

import anyio

from tests.extension.hub import Json, Link
from tests.extension.person import Person
from tests.web import Response, Web

REFUSED = "the extension does not allow"
AUTO_ATTACH = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
PLANTED = "if (location.hostname.includes('bank')) fetch('/planted')"
BALANCE = "<title>Balance: 12</title><script>fetch('/seen')</script>"


def at(url: str, host: str) -> str:
    """Return a URL with another host name of this computer."""
    return url.replace("127.0.0.1", f"{host}.localhost")


def requested_paths(web: Web) -> set[str]:
    return {request.path for request in web.requests}


async def attach(link: Link, tab: int) -> None:
    await link.call("callTool", tabId=tab, toolName="attach", args={"holder": "agent"})


async def attach_and_plant_script(link: Link, tab: int) -> None:
    """Attach as an agent that subscribes to everything and installs a script for future pages."""
    await attach(link, tab)
    for method in ("Page.enable", "Network.enable", "Runtime.enable"):
        await link.cdp(tab, method)
    await link.cdp(tab, "Page.addScriptToEvaluateOnNewDocument", source=PLANTED)
    await link.cdp(tab, "Target.setAutoAttach", **AUTO_ATTACH)


async def send_to_frame(link: Link, tab: int, session: str, method: str, **params: Any) -> Json:
    """Send a command to a frame with its own session."""
    args = {"method": method, "params": params, "sessionId": session}
    return await link.request("callTool", tabId=tab, toolName="cdp", args=args)


async def fetch(link: Link, tab: int, url: str) -> str:
    """Fetch a URL in the page; return the id of its request."""
    script = f"fetch({json.dumps(url)}).then(answer => answer.text())"
    answer = await link.cdp(tab, "Runtime.evaluate", expression=script, awaitPromise=True)
    assert "error" not in answer, answer
    while True:
        event = await link.receive("cdpEvent", method="Network.requestWillBeSent")
        if event["params"]["request"]["url"] == url:
            return str(event["params"]["requestId"])


def embed(url: str) -> str:
    return (
        f"document.body.append(Object.assign(document.createElement('iframe'), {{src: {json.dumps(url)}}}))"
    )


async def wait_for_frame(person: Person, url: str, frame: str) -> None:
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
    await person.send_order("exclude", site="bank.example.localhost")
    tab = await person.share_tab(page)
    reason = "it holds a frame of another site, and the user excludes bank.example.localhost"
    answer = await link.request("callTool", tabId=tab, toolName="attach", args={})
    assert answer["error"] == f"{REFUSED} this page: {reason}"

    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free)}}})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Free')")
    web.requests.clear()
    await attach_and_plant_script(link, tab)
    before = len(link.received)
    await link.cdp(tab, "Runtime.evaluate", expression=embed(bank))
    assert (await link.receive("detached"))["reason"] == "excluded frame"
    assert (await link.receive("toolsChanged", tabId=tab))["tools"] == []
    await wait_for_frame(person, free, bank)
    await web.wait_for_request("/seen")
    assert "/planted" not in requested_paths(web)
    assert "bank." not in json.dumps([one for one in link.received[before:] if one["type"] == "cdpEvent"])
    answer = await link.cdp(tab, "Runtime.evaluate", expression="frames[0].document.title")
    assert answer["error"] == f"{REFUSED} this page: {reason}"
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free + '?again')}}})")
    assert (await link.receive("toolsChanged", tabId=tab))["tools"] != []
    await attach(link, tab)


async def test_a_frame_that_navigates_to_an_excluded_site_gets_no_commands(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page(BALANCE), "bank")
    away = at(web.route("/away", lambda _: Response("", 302, {"Location": bank})), "shop")
    page = web.page("<title>Outside</title><body>")
    tab = await person.share_tab(page)
    await person.send_order("exclude", site="bank.localhost")
    await attach_and_plant_script(link, tab)
    for url in (bank, away):
        web.requests.clear()
        await link.cdp(tab, "Runtime.evaluate", expression=embed(url))
        event = await link.receive("cdpEvent", method="Target.attachedToTarget")
        session = event["params"]["sessionId"]
        assert (event["params"]["targetInfo"]["url"], event["params"]["targetInfo"]["title"]) == ("", "")
        for method, params in (
            ("Page.enable", {}),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": PLANTED}),
            ("Runtime.evaluate", {"expression": "document.title"}),
        ):
            answer = await send_to_frame(link, tab, session, method, **params)
            assert answer["error"] == f"{REFUSED} this frame: the user excludes bank.localhost"
        await send_to_frame(link, tab, session, "Runtime.runIfWaitingForDebugger")
        await web.wait_for_request("/seen")
        assert "/planted" not in requested_paths(web)
    assert (await link.cdp(tab, "Runtime.evaluate", expression="document.title"))["result"]["result"]["value"]
    events = [one for one in link.received if one["type"] == "cdpEvent"]
    revealing = {one["method"] for one in events if "bank." in json.dumps(one)}
    assert revealing == {"Network.responseReceivedExtraInfo"}  # the redirect of the shop itself


async def test_a_redirect_to_an_excluded_site_takes_no_script_there(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page(BALANCE), "bank")
    away = web.route("/away", lambda _: Response("", 302, {"Location": bank}))
    tab = await person.share_tab(web.page("<title>Allowed</title>"))
    await person.send_order("exclude", site="bank.localhost")
    await attach_and_plant_script(link, tab)
    web.requests.clear()
    await link.cdp(tab, "Page.navigate", url=away)
    assert (await link.receive("detached"))["reason"] == "excluded"
    await web.wait_for_request("/seen")
    assert "/planted" not in requested_paths(web)


async def test_requests_of_an_excluded_site_continue_unseen(link: Link, person: Person, web: Web) -> None:
    headers = {"access-control-allow-origin": "*", "content-type": "text/plain"}
    web.route("/data", lambda _: Response("data", headers=headers))
    bank, shop = at(f"{web.url}/data", "bank"), at(web.page("<title>Shop</title>"), "shop")
    tab = await person.share_tab(web.page(f"<title>Outside</title><iframe src='{shop}'></iframe>"))
    await person.send_order("exclude", site="bank.localhost")
    await attach_and_plant_script(link, tab)
    frame = (await link.receive("cdpEvent", method="Target.attachedToTarget"))["params"]["sessionId"]
    await link.cdp(tab, "Fetch.enable", patterns=[{"urlPattern": "*/data*"}])
    await send_to_frame(link, tab, frame, "Fetch.enable", patterns=[{"urlPattern": "*/data*"}])
    options = {"awaitPromise": True, "returnByValue": True}
    script = f"fetch({json.dumps(bank)}).then(answer => answer.text())"
    with anyio.fail_after(60):
        answer = await link.cdp(tab, "Runtime.evaluate", expression=script, **options)
    assert answer["result"]["result"]["value"] == "data"

    script = "for (const no of [1, 2]) setTimeout(() => fetch('/data?' + no), no * 50)"
    link.send(
        type="callTool", callId="own", tabId=tab, toolName="cdp",
        args={"method": "Runtime.evaluate", "params": {"expression": script}, "sessionId": frame},
    )  # fmt: skip
    paused = (await link.receive("cdpEvent", method="Fetch.requestPaused"))["params"]
    assert paused["request"]["url"].endswith("/data?1")
    web.requests.clear()
    await person.send_order("exclude", site="shop.localhost")
    [target] = [one for one in await person.targets("iframe") if one["url"] == shop]
    inside = await person.attach(target["targetId"])
    with anyio.fail_after(60):
        assert await inside.run("fetch('/data?3').then(answer => answer.text())") == "data"
    assert "/data" in requested_paths(web)
    events = [one["params"] for one in link.received if one.get("method") == "Fetch.requestPaused"]
    assert "?3" not in json.dumps(events)
    assert "bank." not in json.dumps(events)


async def test_bodies_are_read_by_reported_ids_and_requests_keep_their_url(
    link: Link, person: Person, web: Web
) -> None:
    headers = {"access-control-allow-origin": "*", "content-type": "text/plain"}
    web.route("/data", lambda _: Response("Balance: 12", headers=headers))
    bank = at(f"{web.url}/data", "bank")
    tab = await person.share_tab(web.page("<title>Outside</title>"))
    await attach(link, tab)
    await link.cdp(tab, "Network.enable")
    request = await fetch(link, tab, bank)
    await person.send_order("exclude", site="bank.localhost")
    for request_id, why in (
        (request, "the user excludes bank.localhost"),
        ("1.1", "this request was not reported"),
    ):
        for method in ("Network.getResponseBody", "Network.getRequestPostData"):
            answer = await link.cdp(tab, method, requestId=request_id)
            assert answer["error"] == f"{REFUSED} this {method}: {why}"
    answer = await link.cdp(tab, "Fetch.continueRequest", requestId="1", url=bank)
    assert answer["error"] == f"{REFUSED} this Fetch.continueRequest: its URL cannot be changed"
    request = await fetch(link, tab, f"{web.url}/data")
    read = await link.cdp(tab, "Network.getResponseBody", requestId=request)
    assert read["result"]["body"] == "Balance: 12"


async def test_a_used_frame_takes_no_script_to_an_excluded_site(link: Link, person: Person, web: Web) -> None:
    bank = at(web.page(BALANCE), "bank")
    shop = at(web.page("<title>Shop</title>"), "shop")
    page = web.page(f"<title>Outside</title><iframe src='{shop}'></iframe>")
    tab = await person.share_tab(page)
    await person.send_order("exclude", site="bank.localhost")
    await attach_and_plant_script(link, tab)
    frame = (await link.receive("cdpEvent", method="Target.attachedToTarget"))["params"]["sessionId"]
    await send_to_frame(link, tab, frame, "Page.addScriptToEvaluateOnNewDocument", source=PLANTED)
    web.requests.clear()
    script = f"location.href = {json.dumps(bank)}"
    link.send(
        type="callTool", callId="go", tabId=tab, toolName="cdp",
        args={"method": "Runtime.evaluate", "params": {"expression": script}, "sessionId": frame},
    )  # fmt: skip
    assert (await link.receive("detached"))["reason"] == "excluded frame"
    await web.wait_for_request("/seen")
    assert "/planted" not in requested_paths(web)


async def test_going_back_to_a_page_with_an_excluded_frame_is_refused(
    link: Link, person: Person, web: Web
) -> None:
    bank = at(web.page("<title>Balance: 12</title>"), "bank.example")
    page = at(web.page(f"<title>Holds</title><iframe src='{bank}'></iframe>"), "www.example")
    free = at(web.page("<title>Free</title><body>"), "www.example")
    await person.send_order("exclude", site="bank.example.localhost")
    tab = await person.share_tab(page)
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(free)}}})")
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Free')")
    await attach_and_plant_script(link, tab)
    await link.cdp(tab, "Runtime.evaluate", expression="history.back()", userGesture=True)
    assert (await link.receive("detached"))["reason"] == "excluded frame"
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Holds')")
    answer = await link.cdp(tab, "Runtime.evaluate", expression="frames[0].document.title")
    assert answer["error"].startswith(f"{REFUSED} this page: it holds a frame of another site")
