"""What scripts of callers can reach at each level, tried on real pages with every known attack."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwright.actions import CATALOG
from tabwright.actions.script import Evaluate
from tabwright.artifacts import Artifacts
from tabwright.browser.call_permissions import CallPermissions, granted
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.browser.tab import Tab
from tabwright.call import Call
from tabwright.errors import Denied, InvalidArgs, PageFailed, Stale, TabwrightError, TimedOut
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.script_reach import Scripts
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.web import Response, Web

CASES = json.loads((Path(__file__).parents[1] / "cases" / "scripts.json").read_text())
ORDINARY = [case["code"] for case in CASES if case["goal"] == "control"]
ATTACKS = [case for case in CASES if case["goal"] != "control"]
# Attacks that are not among the cases: around the checks, after the script has ended, through frames.
MORE_ATTACKS = json.loads((Path(__file__).parents[1] / "cases" / "scripts_more.json").read_text())
# Attacks on the guard itself: through what it looks up, parses or hands out.
ESCAPES = json.loads((Path(__file__).parents[1] / "cases" / "scripts_escapes.json").read_text())
MORE_ATTACKS += ESCAPES

PAGE = """<title>Shop</title><a href=/one data-k=1>One</a> <a href=/two>Two</a><form><input name=q value=v></form>
<button id=b onclick="document.querySelector('#out').textContent = 'clicked'">Buy</button><p id=out></p>
<script type=application/json id=data>{}</script><script id=empty></script><iframe name=inner srcdoc="<p>in"></iframe>
<iframe name=blank></iframe><svg><a id=svga><animate id=ani /></a></svg><meta name=x content=y><object id=obj></object>
<button id=framer onclick="document.body.append(Object.assign(document.createElement('iframe'), {name: 'late', src: '/x'}))">
</button><template><script>document.title = "PAGEVAR"</script></template>
<script>
  document.cookie = "sid=COOKIE"; localStorage.tok = "LOCAL"; sessionStorage.tok = "SESSION"; var pageVar = "PAGEVAR";
  const opening = indexedDB.open("d");
  opening.onupgradeneeded = () => opening.result.createObjectStore("s").put("IDB", "tok");
</script>"""
SECRETS = ("COOKIE", "LOCAL", "SESSION", "PAGEVAR", "IDB", "DYN42", "ECHOED")
LEAK = "document.documentElement.dataset.leak=document.cookie+localStorage.tok+pageVar"
# Gives whatever a script left in the page a chance to run.
AFTER = """await new Promise(done => setTimeout(done, 10)); document.querySelector("#b")?.click();
return [{...document.documentElement.dataset}, document.title, location.href]"""

ALL = Principal("local:test")
READER = Principal("token:reader", frozenset({"read"}))
ACTOR = Principal("token:actor", frozenset({"read", "act"}))

ANOTHER_FRAME = (
    "another frame is out of reach of the script. "
    "Use the action for it, or ask the user to set security.block_eval to false."
)

Run = Callable[..., Awaitable[Any]]


@pytest.fixture
async def runners(supervisor: BrowserSupervisor) -> AsyncIterator[dict[bool, Runner]]:
    """A runner with scripts blocked, and one without, over the same sessions."""
    async with Sessions.open(supervisor) as sessions:
        yield {
            block: Runner(CATALOG, sessions, Artifacts(), scripts=Scripts(block_eval=block))
            for block in (True, False)
        }
        for session in sessions:
            await session.close()


@pytest.fixture
def run(runners: dict[bool, Runner]) -> Run:
    """Run a script through the runner, as a caller with some scopes; all share one tab."""

    async def run(
        script: str,
        *given: Any,
        who: Principal = ALL,
        block: bool = True,
        action: str = "evaluate",
        **more: Any,
    ) -> Any:
        args = {"script": script, **more} | ({"args": list(given)} if given else {})
        caller = Principal(ALL.name, who.scopes)
        result = (await runners[block].run(Call(action=action, args=args, principal=caller))).result
        return result.model_dump()["value"]

    return run


async def go(runners: dict[bool, Runner], url: str) -> None:
    await runners[True].run(Call(action="navigate", args={"url": url}, principal=ALL))


async def outcome(run: Run, script: str, **how: Any) -> str:
    """Return what the caller of a script sees."""
    try:
        return json.dumps(await run(script, **how))
    except TabwrightError as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("who", [ALL, READER], ids=["guarded", "read"])
async def test_no_attack_reaches_anything(tab: Tab, web: Web, who: Principal) -> None:
    web.route("/echo", lambda _: Response("ECHOED"))
    url = web.page(PAGE)
    await tab.goto(url)
    rules, reached = Scripts(), {}
    for case in [*ATTACKS, *MORE_ATTACKS]:
        seen = await try_script(tab, rules, case["code"].replace("LEAK", LEAK), who)
        left = await read_page_afterwards(tab)
        if "Internal" in seen or any(secret in seen + left for secret in SECRETS):
            reached[case["id"]] = (seen, left)
        if left != f'[{{}}, "Shop", "{url}"]':
            await tab.goto(url)
    assert reached == {}
    assert [request.path for request in web.requests if request.path == "/echo"] == []
    assert await tab.evaluate("document.cookie + localStorage.tok + pageVar") == "sid=COOKIELOCALPAGEVAR"


# H013 reaches nothing in the page's own world: it needs what the guard does with results.
REAL = {"J025", "J074", "J140", "J154", "M001", "M011", "M024", "M032", "M044", "M060"} | {
    case["id"] for case in ESCAPES if case["id"] != "H013"
}


async def test_the_attacks_are_real(tab: Tab, web: Web) -> None:
    url, rules = web.page(PAGE), Scripts(block_eval=False)
    for case in [case for case in [*ATTACKS, *MORE_ATTACKS] if case["id"] in REAL]:
        await tab.goto(url)
        seen = await try_script(tab, rules, case["code"].replace("LEAK", LEAK), ALL)
        try:
            with anyio.fail_after(60):
                while not any(secret in seen for secret in SECRETS):
                    seen = await read_page_afterwards(tab)
        except TimeoutError:
            pytest.fail(f"{case['id']} reaches nothing: {seen}")


async def read_page_afterwards(tab: Tab) -> str:
    try:
        return json.dumps(await tab.evaluate(AFTER))
    except Stale as navigated:
        return str(navigated)


async def try_script(tab: Tab, rules: Scripts, script: str, who: Principal) -> str:
    """Run a script as the runner does; return what its caller sees."""
    try:
        given, reach = rules.check(Evaluate(script=script), who)
        assert isinstance(given, Evaluate)
        with granted(CallPermissions(script_reach=reach)):
            return json.dumps(await tab.evaluate(given.script, timeout=0.5))
    except TabwrightError as error:
        return f"{type(error).__name__}: {error}"


async def test_ordinary_scripts_work_as_in_the_main_world(tab: Tab, web: Web) -> None:
    url, answers = web.page(PAGE.partition("<script")[0]), dict[bool, list[str]]()
    for block in (True, False):
        rules = Scripts(block_eval=block)
        answers[block] = []
        for script in ORDINARY:
            await tab.goto(url)
            answers[block].append(await try_script(tab, rules, script, ALL))
    assert answers[True] == answers[False]
    assert [answer for answer in answers[True] if ": " in answer[:12]] == []


async def test_a_caller_with_the_scope_read_runs_scripts_that_only_read(
    run: Run, runners: dict[bool, Runner], web: Web
) -> None:
    await go(runners, web.page(PAGE))
    for block in (True, False):
        assert await run("document.title", who=READER, block=block) == "Shop"
        rows = (
            "const rows = []; for (const a of document.links) rows.push([a.text, a.dataset.k]); return rows"
        )
        assert await run(rows, who=READER, block=block) == [["One", "1"], ["Two", None]]
        assert await run("args[0].a + args[1]", {"a": 1}, 2, who=READER, block=block) == 3
        for change in ("document.title = 'x'", "document.links[0].click()", "Promise.resolve(1)", "await 1"):
            with pytest.raises(Denied) as caught:
                await run(change, who=READER, block=block)
            assert str(caught.value) == (
                "The script does more than read the page. "
                "A token without the scope act may only read: no clicks, no changes, no waiting."
            )
    with pytest.raises(InvalidArgs, match="not valid JavaScript"):
        await run("}{", who=READER)
    with pytest.raises(PageFailed, match="TypeError: Cannot read properties of null"):
        await run("document.querySelector('nav').id", who=READER)


REGULAR_EXPRESSIONS: dict[str, Any] = {
    "document.title.match(/S(h)/)[1]": "h",
    "/sh/i.test(document.title)": True,
    "document.title.replace(/[op]/g, letter => letter.toUpperCase())": "ShOP",
    "document.title.split(/h|p/)": ["S", "o", ""],
    "[...document.links].filter(a => /two$/.test(a.href)).map(a => a.text)": ["Two"],
    "[...'a1b22'.matchAll(/[a-z](?<digits>[0-9]+)/g)].map(found => found.groups.digits)": ["1", "22"],
    "Array.from('a1b22'.matchAll('[0-9]+'), found => [found[0], found.index])": [["1", 1], ["22", 3]],
    "const all = []; for (const [found] of 'aXbX'.matchAll(/x*?/gi)) all.push(found); return all.length": 5,
    "const digits = /[0-9]/g; let n = 0; while (digits.exec('a1b2')) n++; return n": 2,
    "new RegExp('^' + args[0]).test(document.title)": True,
}


@pytest.mark.parametrize("who", [ALL, READER], ids=["guarded", "read"])
async def test_scripts_use_regular_expressions(
    run: Run, runners: dict[bool, Runner], web: Web, who: Principal
) -> None:
    await go(runners, web.page(PAGE))
    answers = {script: await run(script, "Sh", who=who) for script in REGULAR_EXPRESSIONS}
    assert answers == REGULAR_EXPRESSIONS
    with pytest.raises(PageFailed, match="TypeError"):
        await run("'a'.matchAll(/a/)", who=who)


async def test_a_script_that_tests_texts_may_change_the_page(
    run: Run, runners: dict[bool, Runner], web: Web
) -> None:
    await go(runners, web.page(PAGE))
    await run("[...document.links].filter(a => /Two/.test(a.text)).forEach(a => { a.id = 'found' })")
    assert await run("document.querySelector('#found').text") == "Two"


async def test_the_main_world_needs_both_the_scope_and_the_setting(
    run: Run, runners: dict[bool, Runner], web: Web
) -> None:
    await go(runners, web.page(PAGE))
    assert await run("pageVar + document.cookie", block=False) == "PAGEVARsid=COOKIE"
    assert await run("eval('1 + 1')", block=False) == 2
    for who, block in ((ALL, True), (ACTOR, True), (ACTOR, False), (READER, False)):
        assert await run("typeof pageVar", who=who, block=block) == "undefined"
        with pytest.raises(Denied, match=r"document\.cookie is out of reach of the script"):
            await run("document.cookie", who=who, block=block)


REFUSALS = {
    "document.cookie": "document.cookie is out of reach of the script. Use get_cookies and set_cookie.",
    "eval('1')": "eval is out of reach of the script. Write the code itself into the script.",
    "new Function('1')": "Function is out of reach of the script. Write the code itself into the script.",
    "import('x')": "import() is out of reach of the script. Write the code itself into the script.",
    "window.localStorage.a = 1": "localStorage is out of reach of the script. Use get_storage and set_storage.",
    "self['caches']": "caches is out of reach of the script. Use list_requests.",
    "document['coo' + 'kie']": "document.cookie is out of reach of the script. "
    "Use the action for it, or ask the user to set security.block_eval to false.",
    "document.title = 'x'; Reflect.get(document, 'title')": "The script does more than read the page. "
    "It may change the page once written without `Reflect`.",
    "document.title = 'x'; location.href = 'y'": "The script does more than read the page. "
    "It may change the page once written without `location` other than to read it.",
}


async def test_a_refusal_names_what_was_refused_and_what_to_do(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Shop</title>"))
    rules = Scripts()
    answers = {script: await try_script(tab, rules, script, ALL) for script in REFUSALS}
    assert answers == {script: f"Denied: {message}" for script, message in REFUSALS.items()}
    assert await tab.title() == "Shop"


LOOKALIKES: dict[str, Any] = {
    "'Cookie settings: eval, localStorage'": "Cookie settings: eval, localStorage",
    "const caches = ['a']; return caches[0] // localStorage": "a",
    "({cookie: 1}).cookie": 1,
    "[location.pathname.length > 1, {at: location.hash}]": [True, {"at": ""}],
    "location.hash = 'top'; return location.hash": "#top",
    "const all = [...document.links]; for (let i = 0; i < 2; i++) all[i].id = i; return all[1].id": "1",
    "Object.entries(document.querySelector('a').dataset)": [["k", "1"]],
    "JSON.parse(JSON.stringify({a: [1]}))": {"a": [1]},
    "await new Promise(done => setTimeout(done, 5, 'later'))": "later",
    "document.querySelector('#b').click(); return document.querySelector('#out').textContent": "clicked",
    "document.querySelector('a').innerHTML.replace(/O(n)e/, '$1')": "n",
    "const a = {b: 1}; document.title = {...a, c: 2}.c; return {...document.title}": {"0": "2"},
    "`${document.links.length}: ${[5].map((_, i) => [6][i])}`": "2: 6",
    "const e = document.createElement('p'); e['text' + 'Content'] = 'x'; return e.textContent": "x",
    "{a: 1}": {"a": 1},
    "function () { return 1 }": 1,
}


async def test_harmless_scripts_that_look_like_attacks_run(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(PAGE))
    rules = Scripts()
    answers = {script: await try_script(tab, rules, script, ALL) for script in LOOKALIKES}
    assert answers == {script: json.dumps(value) for script, value in LOOKALIKES.items()}


async def test_the_page_keeps_running(run: Run, runners: dict[bool, Runner], web: Web) -> None:
    await go(
        runners,
        web.page("<script>var ticks = 0; (function tick() { ticks++; setTimeout(tick) })()</script><p>"),
    )
    for step in range(20):
        await run("document.body.dataset.step = args[0]", step)
    before = await run("ticks", block=False)
    assert await run(f"ticks > {before}", block=False, action="wait_for_script") is True


async def test_a_hostile_page_cannot_change_the_guard(
    run: Run, runners: dict[bool, Runner], web: Web
) -> None:
    page = """<title>T</title><img name=cookie><img id=guarded><img id=guardedKey><form id=location></form><script>
      Object.defineProperty(Document.prototype, "title", { get: () => "lie" });
      Array.prototype.map = JSON.stringify = String.prototype.toLowerCase = () => "lie";
      HTMLScriptElement.prototype.__proto__ = null; delete window.Node; var tok = localStorage.tok = "LOCAL";
    </script>"""
    await go(runners, web.page(page))
    assert await run("[document.title, [1].map(n => n + 1)]") == ["T", [2]]
    assert await outcome(run, "window['local' + 'Storage'].tok") == (
        "Denied: localStorage is out of reach of the script. "
        "Use the action for it, or ask the user to set security.block_eval to false."
    )
    assert "Denied" in await outcome(
        run, "const s = document.createElement('scr' + 'ipt'); document.body.append(s)"
    )


async def test_frames_are_guarded_whenever_they_were_added(tab: Tab, web: Web) -> None:
    web.page("Other", "/other")
    await tab.goto(web.page(PAGE + f"<iframe name=other src='{web.other_site}/other'></iframe>"))
    rules = Scripts()
    before = await try_script(tab, rules, "blank.document['coo' + 'kie']", ALL)
    await tab.evaluate("""for (const markup of ["<iframe name=late></iframe>", "<iframe name=doc srcdoc=x></iframe>"])
        document.body.insertAdjacentHTML("beforeend", markup)""")
    answers = [before]
    for name in ("inner", "blank", "late", "doc"):
        answers += [
            await try_script(tab, rules, f"{name}['local' + 'Storage'].tok", ALL),
            await try_script(tab, rules, f"{name}['ev' + 'al']('1')", READER),
        ]
    assert [answer for answer in answers if not answer.startswith("Denied: ")] == []
    assert await try_script(tab, rules, "other.document", ALL) == "Denied: " + ANOTHER_FRAME


# Each puts a frame of the page's own origin into the document again, which gives it a new window.
REINSERTED = [
    "document.body.append(frame)",
    "document.body.prepend(frame)",
    "frame.remove(); document.body.append(frame)",
    "frame.replaceWith(frame.cloneNode()); frame = document.querySelector('[name=boxed]')",
    "document.querySelector('form').append(frame)",
    "document.querySelector('p').before(frame)",
    "const box = document.createElement('div'); box.append(frame); document.body.append(box)",
    "const part = document.createDocumentFragment(); part.append(frame); document.body.append(part)",
    "document.body.insertAdjacentElement('afterbegin', frame)",
    "document.body.insertBefore(frame, document.body.firstChild)",
    "document.body.replaceChildren(...document.body.childNodes)",
]
SANDBOXES = ["allow-same-origin", "allow-same-origin allow-scripts", "allow-scripts", ""]
FROM_FRAME = [
    "frame.contentWindow['local' + 'Storage'].tok",
    "frame.contentDocument['coo' + 'kie']",
    "frame.contentWindow['par' + 'ent']['page' + 'Var']",
    "frame.contentWindow['ev' + 'al']('parent.pageVar')",
    "window['boxed']['local' + 'Storage'].tok",
    "frames['boxed'].document['default' + 'View'].parent['page' + 'Var']",
    "frame.contentDocument.createElement('p').ownerDocument['default' + 'View']['local' + 'Storage'].tok",
    "frame.contentWindow['Fun' + 'ction']('return parent.pageVar')()",
]


@pytest.mark.parametrize("who", [ALL, READER], ids=["guarded", "read"])
@pytest.mark.parametrize("sandbox", SANDBOXES)
async def test_a_sandboxed_frame_that_is_inserted_again_is_out_of_reach(
    tab: Tab, web: Web, who: Principal, sandbox: str
) -> None:
    web.page("Boxed", "/boxed")
    url = web.page(PAGE + f"<iframe name=boxed src=/boxed sandbox='{sandbox}'></iframe>")
    rules, reached = Scripts(), {}
    for insert in REINSERTED:
        await tab.goto(url)
        for read in FROM_FRAME:
            script = f"let frame = document.querySelector('[name=boxed]'); {insert}; return {read}"
            seen = await try_script(tab, rules, script, who)
            later = f"{seen} {await read_page_afterwards(tab)}"
            if "Internal" in later or any(secret in later for secret in SECRETS):
                reached[insert, read] = later
    assert reached == {}


async def test_a_sandboxed_frame_reaches_the_page_without_the_guard(tab: Tab, web: Web) -> None:
    web.page("Boxed", "/boxed")
    url = web.page(PAGE + "<iframe name=boxed src=/boxed sandbox='allow-same-origin allow-scripts'></iframe>")
    for read, secret in zip(FROM_FRAME[:4], ("LOCAL", "COOKIE", "PAGEVAR", "PAGEVAR"), strict=True):
        await tab.goto(url)
        script = f"const frame = document.querySelector('[name=boxed]'); document.body.append(frame); return {read}"
        assert secret in await try_script(tab, Scripts(block_eval=False), script, ALL)


async def test_the_guard_survives_a_crash_and_a_change_of_site(tab: Tab, web: Web) -> None:
    rules, script = Scripts(), "[document.title, typeof pageVar, document['coo' + 'kie']]"
    url = web.page(PAGE, "/shop")
    await tab.goto(url)
    answers = [await try_script(tab, rules, script, ALL)]
    tab.session.post("Page.crash")
    answers.append(await try_script(tab, rules, "new Promise(() => {})", ALL))
    for address in (url, web.other_site + "/shop"):
        await tab.goto(address)
        answers.append(await try_script(tab, rules, script, ALL))
        assert (
            await try_script(tab, rules, "[document.title, typeof pageVar]", ALL) == '["Shop", "undefined"]'
        )
    refused = "Denied: " + REFUSALS["document['coo' + 'kie']"]
    assert answers == [
        refused,
        f"PageFailed: The page {url} crashed. Reload it, or navigate elsewhere.",
        refused,
        refused,
    ]


async def test_wait_for_script_has_the_same_limits(run: Run, runners: dict[bool, Runner], web: Web) -> None:
    await go(
        runners,
        web.page(
            "<title>A</title><script>var ready = 1; setTimeout(() => document.title = 'B', 20)</script>"
        ),
    )
    assert await run("document.title === 'B' && document.title", action="wait_for_script") == "B"
    assert await run("document.title", action="wait_for_script", who=READER) == "B"
    with pytest.raises(Denied, match=r"document\.cookie is out of reach"):
        await run("document.cookie", action="wait_for_script")
    with pytest.raises(Denied, match=r"document\.cookie is out of reach"):
        await run("document['cook' + 'ie']", action="wait_for_script")
    with pytest.raises(TimedOut, match="ready is not defined"):
        await run("ready", action="wait_for_script", timeout=0.3)
    steps = json.dumps({"action": "evaluate", "script": "document['cook' + 'ie']"})
    answer = await runners[True].run(Call(action="batch", args={"steps": [steps]}, principal=ALL))
    assert "Denied: document.cookie is out of reach" in answer.text


async def test_a_script_that_hangs_or_is_cancelled_leaves_the_page_usable(
    run: Run, runners: dict[bool, Runner], web: Web
) -> None:
    await go(runners, web.page(PAGE))
    with pytest.raises(TimedOut):
        await run("for (;;) ;", timeout=0.3)
    with anyio.move_on_after(0.3):
        await run("new Promise(() => {})")
    assert await run("document.title") == "Shop"
    assert await run("eval('document.cookie + pageVar')", block=False) == "sid=COOKIEPAGEVAR"
    await go(runners, web.page("<title>Next</title>"))
    assert await run("document.title") == "Next"


# Ways to load an address, and what each is refused for.
REQUESTS = {
    "new Image().src = args[0]": "src",
    "document.createElement('img').setAttribute('src', args[0])": "the attribute src",
    "document.createElement('img').srcset = args[0]": "srcset",
    "document.createElement('video').poster = args[0]": "poster",
    "document.body.style.background = `url(${args[0]})`": "an address in a style",
    "document.body.style.setProperty('background', `URL(${args[0]})`)": "an address in a style",
    "document.body.style.cssText = `background: u\\\\rl(${args[0]})`": "an address in a style",
    "document.body.style = `background: image-set('${args[0]}' 1x)`": "an address in a style",
    "document.body.setAttribute('style', `background: url(${args[0]})`)": "an address in a style",
    "document.body.background = args[0]": "background",
    "const a = document.body.animate([{backgroundImage: `url(${args[0]})`}, {backgroundImage: 'none'}], 1e6); a.pause(); a.currentTime = 1": "an address in a style",
    "const s = document.createElement('style'); document.head.append(s); s.textContent = `@import '${args[0]}'`": "an address in a style",
    "const s = document.createElement('style'); document.head.append(s); s.append('@imp', `ort '${args[0]}'`)": "a part of a style's text",
    "const s = new CSSStyleSheet; s.insertRule(`body { background: url(${args[0]}) }`); document.adoptedStyleSheets = [s]": "an address in a style",
    "new FontFace('f', `url(${args[0]})`).load()": "FontFace",
    "new Audio(args[0]).play()": "Audio",
    "const f = document.createElement('form'); f.action = args[0]; document.body.append(f); f.submit()": "a new <form>",
    "const f = document.querySelector('form'); f.action = args[0]; f.submit()": "action",
    "const a = document.querySelector('a'); a.href = args[0]; a.click()": "href",
    "const a = document.querySelector('a'); a.setAttribute('ping', args[0]); a.click()": "the attribute ping",
    "const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = args[0]; document.head.append(l)": "a new <link>",
    "navigator.sendBeacon(args[0])": "navigator.sendBeacon",
    "navigator['send' + 'Beacon'](args[0])": "navigator.sendBeacon",
    "window['fe' + 'tch'](args[0])": "fetch",
    "new window['EventSou' + 'rce'](args[0])": "EventSource",
    "const svg = n => document.createElementNS('http://www.w3.org/2000/svg', n); svg('image').setAttribute('href', args[0])": "the attribute href",
    "location.pathname = '/asked'": "The script does more than read the page. It may change the page once written without `location`",
    "const i = document.createElement('input'); i.type = 'image'; i.src = args[0]; document.body.append(i)": "src",
}


async def ask_for(tab: Tab, rules: Scripts, script: str) -> str:
    """Run a script with an address as its argument; return the reason of the refusal."""
    given, reach = rules.check(Evaluate(script=script), ALL)
    assert isinstance(given, Evaluate)
    with granted(CallPermissions(script_reach=reach)):
        try:
            await tab.evaluate(given.script, "/asked", timeout=60)
        except (Denied, Stale, PageFailed) as error:
            return str(error)
    return ""


async def test_a_script_cannot_name_an_address_to_load(tab: Tab, web: Web) -> None:
    url = web.page(PAGE.partition("<script")[0])
    await tab.goto(url)
    rules, reasons = Scripts(), {}
    for script in REQUESTS:
        reasons[script] = (await ask_for(tab, rules, script)).partition(" is out of reach")[0]
        reasons[script] = reasons[script].partition(" other than")[0]
    await tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)))")
    assert reasons == REQUESTS
    assert [request.path for request in web.requests if request.path == "/asked"] == []
    assert tab.url == url


async def test_the_addresses_are_loaded_without_the_guard(tab: Tab, web: Web) -> None:
    url, rules = web.page(PAGE.partition("<script")[0]), Scripts(block_eval=False)
    for script in REQUESTS:
        await tab.goto(url)
        await ask_for(tab, rules, script)
        try:
            await web.wait_for_request("/asked")
        except TimeoutError:
            pytest.fail(f"makes no request: {script}")
        web.requests.clear()


async def test_styles_without_addresses_can_be_set(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Text"))
    script = """const p = document.querySelector('p'); p.style.color = 'red'; p.style.setProperty('margin', '1px');
    const s = document.createElement('style'); s.textContent = 'p { padding: 2px }'; document.head.append(s);
    const style = getComputedStyle(p); return [style.color, style.margin, style.padding, p.style.length > 1]"""
    assert json.loads(await try_script(tab, Scripts(), script, ALL)) == ["rgb(255, 0, 0)", "1px", "2px", True]


FUNCTIONS: dict[str, Any] = {
    "() => document.title": "Shop",
    "() => document.title;": "Shop",
    "(a, b) => a + b": 3,
    "function (a) { return a }": 1,
    "function add(a, b) { return a + b };": 3,
    "// Adds.\n((a, b) => a + b)": 3,
    "arguments[0] + arguments[1]": 3,
    "return arguments[1]": 2,
    "[() => 1, Math.max]": ["[function]", "[function max]"],
    "(() => () => 1)()": "[function]",
    "''": "",
}


@pytest.mark.parametrize(
    ("who", "block"), [(ALL, False), (ALL, True), (READER, True)], ids=["full", "guarded", "read"]
)
async def test_a_function_is_called_with_the_arguments(
    run: Run, runners: dict[bool, Runner], web: Web, who: Principal, block: bool
) -> None:
    await go(runners, web.page("<title>Shop</title><p id=a>One</p><p id=b>Two</p>"))
    answers = {script: await run(script, 1, 2, who=who, block=block) for script in FUNCTIONS}
    assert answers == FUNCTIONS
    for script in (
        "p => p.textContent",
        "arguments[0].textContent",
        "return element.textContent",
        "args[0].innerText",
    ):
        assert await run(script, who=who, block=block, target="#b") == "Two"
    assert await run("(p, n) => p.id + n", 5, who=who, block=block, target="text=One") == "a5"
    if who is ALL:
        assert await run("async (a, b) => await a + b", 1, 2, who=who, block=block) == 3
