"""Pages of other sites, in a browser on this computer, that try to use the hub."""

from collections.abc import AsyncIterator

import pytest

from tabwright.browser.browser import Browser
from tabwright.browser.tab import Tab
from tests.doors.http.wired import Wired, raw, wired
from tests.web import Web

# Every request that a page may send to any site without permission; each one loads or fails.
ATTEMPTS = """async url => {
    const finished = (element, tag) => new Promise(done => {
        const [name, ...ends] = { img: ["src", "load", "error"], iframe: ["src", "load"], script: ["src", "load", "error"],
            link: ["href", "load", "error"], video: ["src", "error"] }[tag];
        for (const end of ends) element.addEventListener(end, () => done(tag), { once: true });
        if (name) element[name] = url + tag + "/url";
        document.body.append(element);
    });
    const tags = ["img", "iframe", "script", "link", "video"].map(tag =>
        finished(Object.assign(document.createElement(tag), tag === "link" ? { rel: "stylesheet" } : {}), tag));
    const target = document.createElement("iframe");
    target.name = "answer";
    document.body.append(target);
    const form = Object.assign(document.createElement("form"), { action: url + "form/url", method: "get", target: "answer" });
    document.body.append(form);
    const sent = new Promise(done => target.addEventListener("load", () => done("form"), { once: true }));
    form.submit();
    const fetched = fetch(url + "fetch/url", { mode: "no-cors" }).then(() => "fetch", () => "fetch");
    navigator.sendBeacon(url + "beacon/click");
    return Promise.all([...tags, sent, fetched]);
}"""


@pytest.fixture(scope="module")
async def hub(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Wired]:
    # Starts the shared browser first: started later, it would outlive the hub that was opened before it.
    async with wired(tmp_path_factory.mktemp("hub")) as hub:
        yield hub


@pytest.mark.parametrize("site", ["same site, another port", "another site"])
async def test_a_page_of_another_site_cannot_run_anything(hub: Wired, tab: Tab, web: Web, site: str) -> None:
    url = web.page("<title>Evil</title>")
    await tab.goto(url if site.startswith("same") else url.replace(web.url, web.other_site))
    finished = await tab.evaluate(f"({ATTEMPTS})(args[0])", f"{hub.url}/api/browser/")
    assert finished == ["img", "iframe", "script", "link", "video", "form", "fetch"]
    # A link and window.open send the same request as this navigation.
    await tab.evaluate("void (location = args[0])", f"{hub.url}/api/browser/link/url")
    await tab.waits.function("document.body.innerText.includes('Pages of other sites may not call')")
    assert hub.runner.journal.after(0) == []
    assert list(hub.runner.sessions) == []


async def test_a_link_of_another_site_opens_the_pages_for_people(hub: Wired, tab: Tab, web: Web) -> None:
    for path, title in (("/", "Tabwright"), ("/api/", "Tabwright API")):
        await tab.goto(web.page(f"<a href={hub.url}{path}>There</a>"))
        await tab.element("text=There").click()
        await tab.waits.function("document.title === args[0]", title)
        await tab.waits.function("document.styleSheets.length > 0")
    assert hub.runner.journal.after(0) == []


@pytest.mark.parametrize(
    ("request_", "mode", "dest", "status"),
    [
        ("GET /", "navigate", "document", 200),
        ("GET /", "navigate", "iframe", 403),
        ("GET /", "no-cors", "empty", 403),
        ("POST /", "navigate", "document", 403),
        ("GET /api/", "navigate", "document", 200),
        ("GET /api/health", "navigate", "document", 403),
        ("GET /api/browser/x1/url", "navigate", "document", 403),
        ("GET /api/dashboard/stream", "navigate", "document", 403),
        ("GET /dashboard/main.js", "no-cors", "script", 403),
        ("GET /mcp", "navigate", "document", 403),
    ],
)
async def test_other_sites_may_only_link_to_pages(
    hub: Wired, request_: str, mode: str, dest: str, status: int
) -> None:
    for site in ("cross-site", "same-site", "Cross-Site", "made-up", ""):
        head = f"{request_} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nContent-Length: 0\r\n"
        fetch = f"Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {dest}\r\n\r\n"
        assert (await raw(hub.port, (head + fetch).encode())).status == status, site
