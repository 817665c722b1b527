"""Scenarios for the verbs: a page, and commands with the same output in both programs.

A step is a command and its output. `<Name>` is the ref of the element with this name, `<PAGE>` the URL of the page.
"""

from typing import NamedTuple


class Scenario(NamedTuple):
    """A page, and steps with their output; None: the step only has to succeed."""

    name: str
    html: str
    steps: tuple[tuple[str, str | None], ...]


LOG = "<p id=log></p><script>const say = text => log.textContent += text + ';'</script>"
FORM = f"""<title>Form</title>{LOG}<form onsubmit="say('sent ' + n.value); return false">
<label>Name <input id=n onkeydown="if (event.key == 'Shift') say('down')" onkeyup="if (event.key == 'Shift') say('up')"></label>
<label><input type=checkbox id=c> Agree</label>
<select id=s aria-label=Size><option value=x>Small<option value=y>Large</select></form>
<div id=e contenteditable>old</div>
<button id=b ondblclick="say('double')" onmouseenter="say('over')" onfocus="say('focused')">Save</button>"""
READ = """<title>Reading</title><h1 id=h>Hi <b>you</b></h1><a id=a href=/x data-k=v>Link</a>
<ul><li>1<li>2<li hidden>3</ul><button id=off disabled>Off</button><p id=gone style="display:none">no</p>
<input id=i value=Ada><input type=checkbox id=c checked><div id=box style="position:absolute;left:10px;top:20px;width:30px;height:40px;color:rgb(1, 2, 3)"></div>"""
FIND = f"""{LOG}<button onclick="say('role')">Save all</button><a href=#t onclick="say('text')">Sign in</a>
<label>E-mail <input id=mail></label><input id=city placeholder="Your city">
<img alt=Logo width=20 height=20 onclick="say('alt')" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<span title=Help onclick="say('title')">?</span><b data-testid=go onclick="say('testid')">Go</b>
<ul><li class=i onclick="say('one')">1</li><li class=i onclick="say('two')">2</li><li class=i onclick="say('three')">3</li></ul>"""
WAITS = """<title>First</title><a href=/second>Next</a><script>
setTimeout(() => { document.body.innerHTML += '<p id=late>Here now</p>'; if (location.pathname != '/moved') history.pushState({}, '', '/moved') }, 300)</script>"""
KEPT = f"""<title>Kept</title>{LOG}<button onclick="say([document.cookie, localStorage.k, sessionStorage.s])">Tell</button>"""
LOADS = f"""<title>Loads</title>{LOG}<button onclick="fetch('/api').then(r => r.text()).then(say, () => say('refused'))">Ask</button>
<button onclick="say([innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, navigator.onLine])">Look</button>"""
FRAMES = """<title>Out</title><p class=w>outside</p><iframe id=f name=inner srcdoc="<p class=w>inside</p>"></iframe>
<button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
<button onclick="document.title = prompt('Who?')">Who</button>"""
# In a headless shell the first mouse event comes from the corner, at 0.
HAND = f"""<style>*{{margin:0}}</style>{LOG}<div id=pad style="height:100px;background:#eee"
onmousemove="event.clientX && say('move ' + event.clientX)" onmousedown="say('down ' + event.button)" onmouseup="say('up')">pad</div>
<div id=src draggable=true ondragstart="event.dataTransfer.setData('text', 'x')" style="width:50px;height:50px;background:red">drag</div>
<div id=dst ondragover="event.preventDefault()" ondrop="say('dropped')" style="width:100px;height:50px;background:blue">drop</div>
<input type=file id=up onchange="say(up.files[0].name)"><div style="height:3000px"></div><p id=far>far</p>
<script>addEventListener('scroll', () => document.title = 'at ' + Math.round(scrollY))</script>"""

SCENARIOS = (
    Scenario(
        "form",
        FORM,
        (
            ("open <PAGE>", None),
            ("get title", "Form"),
            ("fill <Name> Ada", None),
            ("type #n ' l'", None),
            ("get value #n", "Ada l"),
            ("check #c", None),
            ("is checked #c", "true"),
            ("uncheck #c", None),
            ("is checked #c", "false"),
            ("select #s Large", None),
            ("get value #s", "y"),
            ("focus #n", None),
            ("keydown Shift", None),
            ("keyup Shift", None),
            ("press Enter", None),
            ("get text #log", "down;up;sent Ada l;"),
            ("click #e", None),
            ("press Control+a", None),
            ("keyboard type new", None),
            ("keyboard inserttext er", None),
            ("get text #e", "newer"),
            ("dblclick #b", None),
            ("get text #log", "down;up;sent Ada l;over;focused;double;"),
        ),
    ),
    Scenario(
        "reading",
        READ,
        (
            ("open <PAGE>", None),
            ("get url", "<PAGE>"),
            ("get text #h", "Hi you"),
            ("get html #h", "Hi <b>you</b>"),
            ("get attr #a data-k", "v"),
            ("get value #i", "Ada"),
            ("get count li", "3"),
            ("get count table", "0"),
            ("is visible #h", "true"),
            ("is visible #gone", "false"),
            ("is enabled #off", "false"),
            ("is enabled #i", "true"),
            ("is checked #c", "true"),
            ("eval document.title.length", "7"),
            ("eval -b MSsx", "2"),
        ),
    ),
    Scenario(
        "find",
        FIND,
        (
            ("open <PAGE>", None),
            ("find role button click --name 'Save all'", None),
            ("find text 'Sign in' click", None),
            ("find label E-mail fill a@b.c", None),
            ("get value #mail", "a@b.c"),
            ("find placeholder 'Your city' fill Paris", None),
            ("get value #city", "Paris"),
            ("find alt Logo click", None),
            ("find title Help click", None),
            ("find testid go click", None),
            ("find first .i click", None),
            ("find last .i click", None),
            ("find nth 1 .i click", None),
            ("find testid go text", "Go"),
            ("get text #log", "role;text;alt;title;testid;one;three;two;"),
        ),
    ),
    Scenario(
        "waiting and going",
        WAITS,
        (
            ("open <PAGE>", None),
            ("wait #late", None),
            ("wait --text 'Here now'", None),
            ("wait --url '**/moved'", None),
            ("wait --load load", None),
            ("wait --fn 'document.querySelectorAll(\"p\").length == 1'", None),
            ("wait 10", None),
            ("click a", None),
            ("wait --text second", None),
            ("get title", "Second"),
            ("back", None),
            ("wait --load load", None),
            ("get title", "First"),
            ("forward", None),
            ("network har start", None),
            ("reload", None),
            ("network har stop page.har", None),
            ("get title", "Second"),
        ),
    ),
    Scenario(
        "keeping",
        KEPT,
        (
            ("open <PAGE>", None),
            ("cookies set a b", None),
            ("storage local set k v", None),
            ("storage session set s t", None),
            ("click button", None),
            ("get text #log", "a=b,v,t;"),
            ("state save state.json", None),
            ("cookies clear", None),
            ("storage local clear", None),
            ("reload", None),
            ("click button", None),
            ("get text #log", ",,t;"),
            ("state load state.json", None),
            ("open <PAGE>", None),
            ("click button", None),
            ("get text #log", "a=b,v,t;"),
        ),
    ),
    Scenario(
        "loading",
        LOADS,
        (
            ("set viewport 500 400", None),
            ("set media dark", None),
            ("open <PAGE>", None),
            ("click <Look>", None),
            ("get text #log", "500,400,true,true;"),
            ("open <PAGE>", None),
            ("network route **/api --body mocked", None),
            ("click <Ask>", None),
            ("wait --text mocked", None),
            ("network unroute", None),
            ("network route **/api --abort", None),
            ("click <Ask>", None),
            ("wait --text refused", None),
            ("network unroute **/api", None),
            ('set headers \'{"X-Mine": "all"}\'', None),
            ("click <Ask>", None),
            ("wait --text 'mine all'", None),
            ("get text #log", "mocked;refused;mine all;"),
            ("set offline on", None),
            ("click <Ask>", None),
            ('wait --fn \'document.querySelector("#log").textContent.endsWith("all;refused;")\'', None),
            ("set offline off", None),
        ),
    ),
    Scenario(
        "frames and dialogs",
        FRAMES,
        (
            ("open <PAGE>", None),
            ("frame #f", None),
            ("get text .w", "inside"),
            ("frame main", None),
            ("eval 'document.querySelector(`.w`).textContent.length'", "7"),
            ("click <Ask>", None),
            ("dialog accept", None),
            ("get title", "yes"),
            ("click <Ask>", None),
            ("dialog dismiss", None),
            ("get title", "no"),
            ("click <Who>", None),
            ("dialog accept Ada", None),
            ("get title", "Ada"),
        ),
    ),
    Scenario(
        "hands and files",
        HAND,
        (
            ("open <PAGE>", None),
            ("mouse move 20 60", None),
            ("mouse down right", None),
            ("mouse up right", None),
            ("mouse wheel 40", None),
            ("wait --fn 'scrollY == 40'", None),
            ("scroll up 1000", None),
            ("wait --fn 'scrollY == 0'", None),
            ("get text #log", "move 20;down 2;up;"),
            ("scroll down 500", None),
            ("wait --fn 'scrollY == 500'", None),
            ("scrollintoview #far", None),
            ("wait --fn 'scrollY > 2000'", None),
            ("upload #up note.txt", None),
            ("wait --text note.txt", None),
            ("screenshot page.png", None),
            ("scrollintoview #src", None),
            ("drag #src #dst", None),
            ("wait --text dropped", None),
        ),
    ),
)
