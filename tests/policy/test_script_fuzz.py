"""Generated scripts in the hardened world: none may reach the page's world, its cookies and storage, or a server."""

import json
import random
from typing import Any

from tabwright.actions.script import Evaluate
from tabwright.browser.call_permissions import CallPermissions, granted
from tabwright.browser.tab import Tab
from tabwright.errors import Stale, TabwrightError
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.script_reach import Scripts
from tests.web import Response, Web

ALL = Principal("local:test")
SEED = 20261118
COUNT = 600
PAGE = """<title>Shop</title><body><a id=a href=/one title=t>One</a><form id=f action=/form><input id=i name=q></form>
<button id=b onclick="window.pressed = 1">Buy</button><script id=s></script><style id=c></style><svg><a id=v /></svg>
<iframe name=inner srcdoc="<p>in"></iframe><template id=t><script>document.documentElement.dataset.leak = 1</script></template>
<script>document.cookie = "sid=CANARY"; localStorage.tok = "CANARY"; sessionStorage.tok = "CANARY"; var own = "CANARY"</script>"""
LEAK = "document.documentElement.dataset.leak = document.cookie + localStorage.tok + own"

# What a script replaces first, to blind checks that look it up while they run.
BLINDS = (
    "",
    "window.Attr = window.Node = window.Element = class {};",
    "String.prototype.toLowerCase = String.prototype.trim = () => 'title';",
    "RegExp.prototype.exec = RegExp.prototype.test = () => null;",
    "Array.isArray = () => true; Number.isFinite = () => true;",
    "Set.prototype.has = Map.prototype.has = WeakSet.prototype.has = () => false;",
    "Array.prototype.includes = Array.prototype.some = () => false;",
)
# Ways to an object: a window, a document, an element.
WINDOWS = (
    "window",
    "self",
    "globalThis",
    "top",
    "(function () { return this })()",
    "window[0]",
    "window['inner']",
    "[].map.call(window, w => w)[0]",
    "document.querySelector('iframe').contentWindow",
    "document['default' + 'View']",
    "new UIEvent('x', {view: window}).view",
)
ELEMENTS = ("a", "f", "i", "b", "s", "c", "v", "t")
SECRETS = ("document.cookie", "localStorage.tok", "sessionStorage.tok", "own", "fetch('URL')", "eval('1')")
NAMES = (
    "src",
    "href",
    "action",
    "formAction",
    "background",
    "poster",
    "srcset",
    "onclick",
    "style",
    "data",
    "ping",
    "xlink:href",
)
VALUES = (
    "URL",
    "javascript:void(LEAK)",
    "background: url(URL)",
    "@import 'URL'",
    "LEAK",
    "<img src=URL onerror=LEAK>",
)
TAGS = (
    "img",
    "script",
    "iframe",
    "link",
    "object",
    "embed",
    "video",
    "input",
    "style",
    "form",
    "base",
    "meta",
)
SETS = (
    "E[K] = V",
    "E.setAttribute(K, V)",
    "E.setAttributeNS(null, K, V)",
    "E.getAttributeNode(K).value = V",
    "E.attributes[0].textContent = V",
    "E.textContent = V",
    "E.append(V)",
    "E.innerHTML = V",
    "E.insertAdjacentHTML('beforeend', V)",
    "E.style.cssText = V",
    "E.style.setProperty('background', V)",
    "E.replaceWith(E.cloneNode(true))",
    "document.body.append(E.content ?? E)",
    "document.body.append(E); E.click()",
)


def spell(name: str, rng: random.Random) -> str:
    """Return an expression for a text: whole, in parts, from a template, with escapes, from an object."""
    quoted = json.dumps(name)
    at = rng.randrange(1, len(name)) if len(name) > 1 else 1
    parts = f"{json.dumps(name[:at])} + {json.dumps(name[at:])}"
    codes = ", ".join(str(ord(letter)) for letter in name)
    return rng.choice(
        (
            quoted,
            f"({parts})",
            f"String.fromCharCode({codes})",
            f"`${{{parts}}}`",
            '"' + "".join(f"\\u{ord(letter):04x}" for letter in name) + '"',
            f"({{toString: () => {quoted}}})",
        )
    )


def read(rng: random.Random) -> str:
    """Return a script that reads a secret from some window."""
    window, secret = rng.choice(WINDOWS), rng.choice(SECRETS)
    if secret.endswith(")"):
        name, _, rest = secret.partition("(")
        return f"return await {window}[{spell(name, rng)}]({rest}"
    path = "".join(f"[{spell(name, rng)}]" for name in secret.split("."))
    return f"return {window}{path}"


def write(rng: random.Random) -> str:
    """Return a script that gives a page something to run or to load."""
    made = f"document.createElement({spell(rng.choice(TAGS), rng)})"
    found = f"document.querySelector('#{rng.choice(ELEMENTS)}')"
    act = (
        rng.choice(SETS)
        .replace("K", spell(rng.choice(NAMES), rng))
        .replace("V", spell(rng.choice(VALUES), rng))
    )
    press = "try { document.body.append(e) } catch {} try { e.click() } catch {} try { e.submit() } catch {}"
    return f"const e = {rng.choice((made, found))}; {act.replace('E', 'e')}; {press}"


def wrap(script: str, rng: random.Random) -> str:
    """Return the script as statements or in a function, some after others have replaced built-ins."""
    blind = rng.choice(BLINDS)
    form = rng.choice(
        ("{}", "async () => {{ {} }}", "(async function () {{ {} }})", "return (async () => {{ {} }})()")
    )
    return form.format(f"{blind} {script}")


async def run(tab: Tab, rules: Scripts, script: str) -> str:
    try:
        given, reach = rules.check(Evaluate(script=script), ALL)
        assert isinstance(given, Evaluate)
        with granted(CallPermissions(script_reach=reach)):
            return json.dumps(await tab.evaluate(given.script))
    except TabwrightError as error:
        return f"{type(error).__name__}: {error}"


def generate(web: Web, count: int) -> list[str]:
    rng = random.Random(SEED)
    scripts = [wrap(rng.choice((read, write))(rng), rng) for _ in range(count)]
    return [script.replace("URL", f"{web.other_site}/asked").replace("LEAK", LEAK) for script in scripts]


async def read_leak(tab: Tab) -> Any:
    """Return what a script left in the page; a page that a link led to has nothing of it."""
    try:
        return await tab.evaluate("document.documentElement.dataset.leak ?? null")
    except Stale:
        return None


async def test_generated_scripts_reach_nothing(tab: Tab, web: Web) -> None:
    web.route("/asked", lambda _: Response("x"))
    url, rules = web.page(PAGE), Scripts()
    await tab.goto(url)
    for number, script in enumerate(generate(web, COUNT)):
        seen = await run(tab, rules, script)
        assert "CANARY" not in seen, script
        assert "Internal" not in seen, (script, seen)
        if number % 10 == 9:
            assert await read_leak(tab) is None, script
            await tab.goto(url)
    page = url.removeprefix(web.url)
    assert {request.path.partition("?")[0] for request in web.requests} <= {
        page,
        "/favicon.ico",
        "/one",
        "/form",
    }


async def test_generated_scripts_reach_everything_without_the_guard(tab: Tab, web: Web) -> None:
    web.route("/asked", lambda _: Response("x"))
    url, rules, reached = web.page(PAGE), Scripts(block_eval=False), 0
    for script in generate(web, 60):
        await tab.goto(url)
        reached += "CANARY" in await run(tab, rules, script)
    assert reached > 5
    await web.wait_for_request("/asked")


# Sets every property and attribute of every kind of element that this browser has. Frames and scripts cannot be made.
SET_ALL = """const address = args[0], names = new Set(args[1]), done = []
for (const tag of args[2]) {
  let made
  const svg = 'http://www.w3.org/2000/svg'
  try { made = tag[0] === '+' ? document.createElementNS(svg, tag.slice(1)) : document.createElement(tag) } catch { continue }
  try { document.body.append(made) } catch {}
  const all = new Set(names)
  for (const name in made) all.add(name)
  for (const name of all) {
    try { made[name] = address; done.push(name) } catch {}
    try { made.setAttribute(name, `url(${address})`) } catch {}
    try { made.setAttribute(name, address) } catch {}
    try { made.style[name] = `url(${address})` } catch {}
  }
  try { made.remove() } catch {}
}
return done.length"""
PROPERTIES = """(() => { const names = new Set;
for (const key of Object.getOwnPropertyNames(window)) if (/^[A-Z]\\w*Element$/.test(key))
  for (const name of Object.getOwnPropertyNames(window[key].prototype)) {
    if (Object.getOwnPropertyDescriptor(window[key].prototype, name).set) names.add(name) }
return [...names] })()"""
ATTRIBUTES = (
    "ping background cite data longdesc manifest profile usemap classid codebase icon imagesrcset xlink:href"
)
ALL_TAGS = """a abbr applet area article audio b base body button canvas col details dialog div embed fieldset font form
frame frameset head hr html iframe image img input ins label legend li link map marquee menu meta meter object ol option
output p param picture portal pre progress q script select slot source span style summary table tbody td template
textarea th time title tr track ul video selectedcontent fencedframe +svg +a +image +use +script +style
+feImage +filter +pattern +linearGradient +mask +marker +textPath +tref +cursor +animate +set +mpath +foreignObject"""


async def test_no_setter_or_attribute_of_any_element_makes_a_request(tab: Tab, web: Web) -> None:
    web.route("/asked", lambda _: Response("x"))
    url, rules = web.page("<title>Shop</title><p>Text"), Scripts()
    await tab.goto(url)
    names: list[Any] = [*await tab.evaluate(PROPERTIES), *ATTRIBUTES.split()]
    assert len(names) > 300
    given, reach = rules.check(Evaluate(script=SET_ALL), ALL)
    assert isinstance(given, Evaluate)
    with granted(CallPermissions(script_reach=reach)):
        assert await tab.evaluate(given.script, "/asked", names, ALL_TAGS.split(), timeout=60) > 1000
    await tab.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert [request.path for request in web.requests if "asked" in request.path] == []
    assert tab.url == url


async def test_the_setters_make_requests_without_the_guard(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<title>Shop</title><p>Text"))
    await tab.evaluate(SET_ALL, "/asked", ["src"], ["img", "video"])
    await web.wait_for_request("/asked")
