"""The messages in both directions, and what the extension never does for a hub."""

import json
from typing import Any

import anyio
import pytest

from tests.extension.hub import Json, Link
from tests.extension.person import Person
from tests.web import Request, Response, Web

REFUSED = "the extension does not allow"
MAIL = "<title>Inbox</title><h1>Mail</h1>"


def tool_names(message: Json) -> list[str]:
    return [tool["name"] for tool in message["tools"]]


async def attach(link: Link, tab: int, holder: str = "agent") -> Json:
    """Attach to a tab; return its target."""
    answer: Json = await link.call("callTool", tabId=tab, toolName="attach", args={"holder": holder})
    target: Json = answer["targetInfo"]
    return target


async def evaluate(link: Link, tab: int, expression: str) -> Any:
    answer = await link.cdp(tab, "Runtime.evaluate", expression=expression, returnByValue=True)
    assert "error" not in answer, answer
    return answer["result"]["result"].get("value")


async def test_a_shared_tab_is_reported_until_it_closes(link: Link, person: Person, web: Web) -> None:
    first = await link.receive("connected")
    agent = await person.desk.run("navigator.userAgent")
    version = first["browser"]["version"]
    assert first["browser"] == {"name": "Chromium", "version": version, "userAgent": agent}
    assert version.split(".")[0] in agent
    assert first["tabs"] == []

    await person.open_tab(web.page("<title>Private</title>"))
    url = web.page(MAIL)
    tab = await person.share_tab(url)
    created = (await link.receive("tabCreated"))["tab"]
    window = created.pop("windowId")
    assert isinstance(window, int)
    assert tool_names(created) == ["attach", "detach", "cdp"]
    methods = created["tools"][2]["inputSchema"]["properties"]["method"]["enum"]
    assert ("Page.captureScreenshot" in methods, "Storage.getCookies" in methods) == (True, False)
    del created["tools"]
    assert created == {"id": tab, "title": "Inbox", "url": url, "active": False, "mine": "shared"}

    await person.desk.run(f"chrome.tabs.update({tab}, {{active: true}})")
    assert tool_names(await link.receive("tabFocused", tabId=tab)) == ["attach", "detach", "cdp"]
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: 'chrome://version/'}})")
    assert (await link.receive("toolsChanged", tabId=tab))["tools"] == []
    answer = await link.request("callTool", tabId=tab, toolName="attach", args={})
    assert answer["error"] == f"{REFUSED} this page: Chrome's own pages are not available"
    other = web.page("<title>Other</title>")
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(other)}}})")
    assert tool_names(await link.receive("toolsChanged", tabId=tab)) == ["attach", "detach", "cdp"]
    updated = await link.receive("tabUpdated")
    while updated["tab"]["title"] != "Other":
        updated = await link.receive("tabUpdated")
    assert (updated["tab"]["url"], updated["tab"]["active"]) == (other, True)

    link.send(type="connect")
    assert [one["id"] for one in (await link.receive("connected"))["tabs"]] == [tab]
    await person.close_tabs(tab)
    assert await link.receive("tabClosed") == {"type": "tabClosed", "tabId": tab}
    reported = {message["tab"]["id"] for message in link.received if "tab" in message}
    assert reported == {tab}


async def test_tabs_are_opened_focused_and_closed_without_touching_the_users(
    link: Link, person: Person, web: Web
) -> None:
    front = await person.open_tab(web.page("<title>The user reads this</title>"), active=True)
    url = web.page(MAIL)
    tab = (await link.call("openTab", url=url, focus=False, holder="agent"))["tab"]
    assert (tab["mine"], tab["holder"], tab["active"]) == ("opened", "agent", False)
    assert await person.desk.run(f"chrome.tabs.get({front}).then(tab => tab.active)")
    assert await link.call("focusTab", tabId=tab["id"]) == {}
    await link.receive("tabFocused", tabId=tab["id"])
    assert await link.call("closeTab", tabId=tab["id"]) == {}
    await link.receive("tabClosed", tabId=tab["id"])
    for refused in (
        "file:///etc/hostname",
        "chrome://settings/",
        "javascript:alert(1)",
        "data:text/html,x",
        "nonsense",
    ):
        answer = await link.request("openTab", url=refused, focus=True)
        assert answer["result"] is None
        assert answer["error"] == f"{REFUSED} {refused}: only http, https and about:blank can be opened"
    for order in ("focusTab", "closeTab"):
        answer = await link.request(order, tabId=front)
        assert answer["error"] == f"{REFUSED} it: tab {front} is not shared"
    answer = await link.request("callTool", tabId=front, toolName="attach", args={})
    assert answer["error"] == f"{REFUSED} it: tab {front} is not shared"
    assert await person.desk.run(f"chrome.tabs.get({front}).then(tab => tab.title)") == "The user reads this"


async def test_commands_and_events_pass_to_and_from_a_tab_and_its_frames(
    link: Link, person: Person, web: Web
) -> None:
    inner = web.page("<title>Inner</title>").replace("127.0.0.1", "localhost")
    tab = await person.share_tab(web.page(f"{MAIL}<iframe src='{inner}'></iframe>"))
    answer = await link.cdp(tab, "Runtime.evaluate", expression="1")
    assert "Debugger is not attached" in answer["error"]
    target = await attach(link, tab)
    assert (target["type"], target["title"]) == ("page", "Inbox")
    assert await evaluate(link, tab, "document.title") == "Inbox"
    many = [
        link.cdp(tab, "Runtime.evaluate", expression=f"globalThis.seen = (globalThis.seen ?? '') + {n}")
        for n in range(9)
    ]
    for one in many:
        await one
    assert await evaluate(link, tab, "seen") == "012345678"

    wrong = json.loads((await link.cdp(tab, "Page.printToPDF", scale="x"))["error"])
    assert (wrong["code"], "Invalid parameters" in wrong["message"]) == (-32602, True)
    await link.call(
        "callTool",
        tabId=tab,
        toolName="cdp",
        args={
            "method": "Target.setAutoAttach",
            "params": {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True},
        },
    )
    frame = (await link.receive("cdpEvent", tabId=tab, method="Target.attachedToTarget"))["params"]
    assert frame["targetInfo"]["url"] == inner
    args = {
        "method": "Runtime.evaluate",
        "params": {"expression": "document.title"},
        "sessionId": frame["sessionId"],
    }
    answer = await link.call("callTool", tabId=tab, toolName="cdp", args=args)
    assert answer["result"]["value"] == "Inner"

    await attach(link, tab, "another")  # attaching again resets the tab
    assert await link.call("callTool", tabId=tab, toolName="detach", args={}) == {}
    assert "not attached" in (await link.cdp(tab, "Runtime.evaluate", expression="1"))["error"]
    link.send(type="connect")
    assert "holder" not in (await link.receive("connected"))["tabs"][0]
    assert (await link.request("callTool", tabId=tab, toolName="shell", args={}))["error"] == (
        f"{REFUSED} shell: it has no such tool"
    )
    with pytest.raises(TimeoutError):
        await link.receive("cdpEvent", seconds=0.2)


OUTSIDE_THE_TAB: list[tuple[str, Json, str]] = [
    (
        "Storage.clearDataForOrigin",
        {"origin": "https://bank.example"},
        "the origin is not this tab's",
    ),
    ("Page.navigate", {"url": "file:///etc/hostname"}, "only http, https and about:blank can be opened"),
    ("Page.navigate", {"url": "\tFILE:///etc/hostname"}, "only http, https and about:blank can be opened"),
    ("Page.navigate", {"url": "javascript:alert(1)"}, "only http, https and about:blank can be opened"),
    ("Page.navigate", {"url": "chrome://settings"}, "only http, https and about:blank can be opened"),
    (
        "Page.navigate",
        {"url": "view-source:http://127.0.0.1/"},
        "only http, https and about:blank can be opened",
    ),
    ("Page.navigate", {}, "only http, https and about:blank can be opened"),
    ("IO.read", {"handle": "1"}, "the stream is not from this tab"),
    ("IO.close", {"handle": "1"}, "the stream is not from this tab"),
]
FORBIDDEN_METHODS = [
    "Storage.getCookies", "Storage.setCookies", "Storage.clearCookies", "Network.getAllCookies",
    "Network.clearBrowserCookies", "Network.setCookies", "Network.getCookies", "Network.setCookie",
    "Network.deleteCookies", "Network.loadNetworkResource", "Page.setDownloadBehavior",
    "Browser.getVersion", "Target.createTarget", "Target.getTargets", "Target.attachToTarget", "Page.crash",
    "Tracing.start", "Debugger.enable", "constructor", "__proto__", "",
]  # fmt: skip


async def test_a_tab_gives_no_access_to_other_sites_files_or_tabs(
    link: Link, person: Person, web: Web
) -> None:
    url = web.page(MAIL)
    tab = await person.share_tab(url)
    await attach(link, tab)
    for method in FORBIDDEN_METHODS:
        assert (await link.cdp(tab, method))["error"] == f"{REFUSED} {method}"
    for method, params, why in OUTSIDE_THE_TAB:
        answer = await link.cdp(tab, method, **params)
        assert answer["error"] == f"{REFUSED} this {method}: {why}"
    printed = (await link.cdp(tab, "Page.printToPDF", transferMode="ReturnAsStream"))["result"]
    read = (await link.cdp(tab, "IO.read", handle=printed["stream"]))["result"]
    assert read["base64Encoded"]
    other = await person.share_tab(web.page("<title>Second</title>"))
    await attach(link, other)
    answer = await link.cdp(other, "IO.read", handle=printed["stream"])
    assert answer["error"] == f"{REFUSED} this IO.read: the stream is not from this tab"
    assert await evaluate(link, tab, "location.href") == url


async def test_an_excluded_site_cannot_be_reached_in_any_way(link: Link, person: Person, web: Web) -> None:
    released = anyio.Event()

    async def slow(_: Request) -> Response:
        await released.wait()
        return Response("<title>Balance: 12</title>", headers={"content-type": "text/html"})

    bank = web.route("/bank", slow).replace("127.0.0.1", "bank.localhost")
    tab = await person.share_tab(web.page("<title>Allowed</title>"))
    await attach(link, tab)
    for method in ("Network.enable", "Page.enable"):
        await link.cdp(tab, method)
    await link.cdp(tab, "Page.addScriptToEvaluateOnNewDocument", source="fetch('/planted')")
    await person.send_order("exclude", site="http://LOCALHOST/login")
    why = f"{REFUSED} this Page.navigate: the user excludes bank.localhost"
    assert (await link.cdp(tab, "Page.navigate", url=bank))["error"] == why
    opened = await link.request("openTab", url=bank)
    assert opened["error"] == f"{REFUSED} {bank}: the user excludes bank.localhost"

    await link.cdp(tab, "Runtime.evaluate", expression=f"location.href = {json.dumps(bank)}")
    assert await link.receive("detached") == {"type": "detached", "tabId": tab, "reason": "excluded"}
    assert (await link.receive("toolsChanged", tabId=tab))["tools"] == []
    released.set()
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Balance: 12')")
    answer = await link.cdp(tab, "Runtime.evaluate", expression="document.title")
    assert answer["error"] == f"{REFUSED} this page: the user excludes bank.localhost"
    assert "/planted" not in [request.path for request in web.requests]
    assert "Balance" not in json.dumps(link.received)
    events = [
        message for message in link.received if message["type"] == "cdpEvent" and bank in json.dumps(message)
    ]
    assert [event["method"] for event in events] == []
    link.send(type="connect")
    [reported] = (await link.receive("connected"))["tabs"]
    assert (reported["title"], reported["url"], reported["tools"]) == ("Excluded by the user", "", [])

    away = web.page(f"<title>Outside</title><iframe src='{bank}'></iframe>")
    await person.desk.run(f"chrome.tabs.update({tab}, {{url: {json.dumps(away)}}})")
    assert tool_names(await link.receive("toolsChanged", tabId=tab)) == ["attach", "detach", "cdp"]
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.status === 'complete')")
    await attach(link, tab)
    auto_attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
    await link.cdp(tab, "Target.setAutoAttach", **auto_attach)
    frame = (await link.receive("cdpEvent", tabId=tab, method="Target.attachedToTarget"))["params"]
    args = {
        "method": "Runtime.evaluate",
        "params": {"expression": "document.title"},
        "sessionId": frame["sessionId"],
    }
    answer = await link.request("callTool", tabId=tab, toolName="cdp", args=args)
    assert answer["error"] == f"{REFUSED} this frame: the user excludes bank.localhost"
    await person.send_order("include", site="localhost")
    inside = await link.call("callTool", tabId=tab, toolName="cdp", args=args)
    assert inside["result"]["value"] == "Balance: 12"


async def test_a_redirect_to_an_excluded_site_reveals_nothing(link: Link, person: Person, web: Web) -> None:
    bank = web.page("<title>Balance: 12</title>").replace("127.0.0.1", "bank.localhost")
    away = web.route("/away", lambda _: Response("", 302, {"Location": bank}))
    tab = await person.share_tab(web.page("<title>Allowed</title>"))
    await person.send_order("exclude", site="bank.localhost")
    await attach(link, tab)
    await link.cdp(tab, "Runtime.enable")
    link.send(
        type="callTool",
        callId="go",
        tabId=tab,
        toolName="cdp",
        args={"method": "Page.navigate", "params": {"url": away}},
    )
    for number in range(20):
        args = {"method": "Runtime.evaluate", "params": {"expression": "document.title"}}
        link.send(type="callTool", callId=f"read{number}", tabId=tab, toolName="cdp", args=args)
    assert await link.receive("detached") == {"type": "detached", "tabId": tab, "reason": "excluded"}
    await person.desk.until(f"chrome.tabs.get({tab}).then(tab => tab.title === 'Balance: 12')")
    await link.receive("toolResult", callId="read19")
    assert "Balance" not in json.dumps(link.received)


async def test_tabs_opened_by_an_agents_action_are_shared_and_others_are_not(
    link: Link, person: Person, web: Web
) -> None:
    child = web.page("<title>Child</title>")
    page = web.page(f"<title>Parent</title><a href='{child}' target=_blank>open</a>")
    tab = await person.share_tab(page)
    mine = await person.open_page(page, background=False)
    await mine.run("document.querySelector('a').click()")
    await attach(link, tab, "agent")
    await link.cdp(
        tab, "Runtime.evaluate", expression="document.querySelector('a').click()", userGesture=True
    )
    message = await link.receive("tabCreated", seconds=5)
    while message["tab"].get("opener") is None:
        message = await link.receive("tabCreated", seconds=5)
    made = message["tab"]
    assert (made["mine"], made["holder"], made["opener"]) == ("opened", "agent", tab)
    link.send(type="connect")
    assert [one["id"] for one in (await link.receive("connected"))["tabs"]] == [tab, made["id"]]


async def test_a_tab_the_user_opens_from_a_page_an_agent_reads_is_not_shared(
    link: Link, person: Person, web: Web
) -> None:
    child = web.page("<title>Child</title>")
    page = web.page(f"<title>Parent</title><a style='font-size: 9em' href='{child}' target=_blank>open</a>")
    await link.receive("connected")
    tab = await person.share_tab(page, active=True)
    await attach(link, tab)
    await evaluate(link, tab, "document.body.innerText")
    [target] = [one for one in await person.targets("page") if one["url"] == page]
    mine = await person.attach(target["targetId"])
    for kind in ("mousePressed", "mouseReleased"):
        await mine.session.send(
            "Input.dispatchMouseEvent", type=kind, x=60, y=60, button="left", clickCount=1
        )
    await person.desk.until("chrome.tabs.query({title: 'Child'}).then(tabs => tabs.length)")
    link.send(type="connect")
    assert [one["id"] for one in (await link.receive("connected"))["tabs"]] == [tab]
