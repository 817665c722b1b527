"""What each Browsion tool answers when it works and when it fails: the same over MCP and REST.

`{page}` is the URL of a case's page, `{site}` that of its server. In answers, the numbers of tabs, processes, sizes
and times are replaced by N.
"""

from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Step = tuple[str, Json]

PLAIN = "<title>Plain</title><h1>Plain</h1><p>Some words.</p>"
CONTROLS = """<title>Controls</title><button onclick="this.textContent = 'Done'">Do</button>
<input id=name aria-label=Name value=old><select id=size aria-label=Size><option value=s>Small<option value=l>Large</select>
<input id=file type=file aria-label=File>"""
TALL = "<title>Tall</title><div id=box style='height:100px;overflow:auto'><p style='height:900px;width:2000px'>In</p></div><p style='height:3000px'>Tall<h2>End</h2>"
POINTED = """<title>Pointed</title><style>body { margin: 0; padding-top: 5px } div { width: 100px; height: 50px }</style>
<div id=a ondblclick="document.title = 'twice'" oncontextmenu="document.title = 'menu'; return false"
 onmouseover="document.title = 'over'" onclick="document.title = 'click ' + event.clientX">A</div>
<div id=from onmousedown="document.title = 'taken'" onmouseup="document.title = 'stayed'">From</div>
<div id=to onmouseup="document.title += ' and dropped'">To</div>"""
TOUCHED = """<title>Touched</title><p id=t ontouchstart="document.title = 'down'"
 ontouchmove="document.title = 'moved'">Touch</p>"""
KEEPING = """<title>Keeping</title><script>localStorage.setItem('a', '1'); sessionStorage.setItem('b', '2');
console.log('note'); console.warn('careful')</script>"""
OPENING = "<title>Opening</title><a href='/inner' target=_blank>Open</a>"
FRAMED = "<title>Framed</title><button>Outer</button><iframe name=inner src='/inner'></iframe>"
CARDS = """<title>Cards</title><h1>Shop</h1><div class=card><b>Tea</b><i>1,299.50 €</i><a href='/tea'>more</a></div>
<div class=card><b>Nut</b><i>3</i><a href='/nut'>more</a></div>"""
FORM = """<title>Form</title><button>Menu</button><form action='/send' method=post aria-label=Contact>
<label>Mail <input name=mail required value=a@b.c></label><button>Send</button></form><a href='/imprint'>Imprint</a>"""
FETCHING = """<title>Fetching</title><p id=p></p><script>fetch('/data').then(r => r.text()).then(t => p.textContent = t)</script>"""
DIALOG = """<title>Dialog</title><button onclick="setTimeout(() => document.title = prompt('Who?') ?? 'nobody')">Ask</button>"""


@dataclass(frozen=True)
class Case:
    """One tool: a call with its whole answer, a call that fails with its error, and the steps before both."""

    tool: str
    args: Json
    answer: str
    fails: Json
    error: str
    page: str = PLAIN
    before: tuple[Step, ...] = ()
    # A script, and what it returns in the page afterwards.
    proof: tuple[str, str] | None = None
    # Arguments of the route, if they differ from the tool's.
    rest: Json | None = None
    rest_fails: Json | None = None


GONE: Json = {"selector": "@e999"}
NO_REF: Json = {"ref_id": "e999"}
STATE: tuple[Step, ...] = (("get_page_state", {}),)
TITLE = "document.title"

RED: Json = {"colour": "red"}
TO_INNER: Step = ("navigate", {"url": "{site}/inner"})
IN_NEW_TAB: Step = ("new_tab", {"url": "{site}/inner"})
COOKIE: Step = ("set_cookie", {"name": "a", "value": "b", "domain": "127.0.0.1"})
DONE = 'Clicked button "Do".\n~ @e1: button "Done" (focused)'
CONSOLE = "1. log: note ({page}:2)\n2. warning: careful ({page}:2)"
ZONE = "`${navigator.language} ${Intl.DateTimeFormat().resolvedOptions().timeZone}`"
FETCHED = "fetch('/data').then(async r => [r.status, r.headers.get('x-a'), await r.text()].join(), String)"


def field_with(value: str) -> str:
    """Return the line of the field once it has this text."""
    return f'~ @e2: textbox "Name" = "{value}" (focused)'


NAVIGATION = (
    Case(
        "navigate",
        {"url": "{page}", "wait_until": "networkidle"},
        "Navigated to {page} (200 OK)",
        {"url": "nowhere"},
        "InvalidArgs",
    ),
    Case("go_back", {}, "Navigated to {page} (200 OK)", RED, "InvalidArgs", before=(TO_INNER,)),
    Case(
        "go_forward",
        {},
        "Navigated to {site}/inner (200 OK)",
        {},
        "NotFound",
        before=(TO_INNER, ("go_back", {})),
    ),
    Case("reload", {}, "Navigated to {page} (200 OK)", RED, "InvalidArgs"),
    Case(
        "wait_for_navigation",
        {},
        '{site}/inner "Inner" (200 OK)',
        {"timeout_ms": 0},
        "InvalidArgs",
        before=(("navigate", {"url": "{site}/inner", "wait_until": "none"}),),
    ),
    Case("get_current_url", {}, '{page} "Plain" (200 OK)', RED, "InvalidArgs"),
    Case("get_page_title", {}, '{page} "Plain" (200 OK)', RED, "InvalidArgs"),
)
MOUSE = (
    Case("click", {"selector": "button"}, DONE, GONE, "NotFound", CONTROLS),
    Case(
        "hover",
        {"selector": "#a"},
        'Hovered over div "A".\nThe title is now "over"',
        GONE,
        "NotFound",
        POINTED,
    ),
    Case(
        "double_click",
        {"selector": "#a"},
        'Clicked div "A".\nThe title is now "twice"',
        GONE,
        "NotFound",
        POINTED,
    ),
    Case(
        "right_click",
        {"selector": "#a"},
        'Clicked div "A".\nThe title is now "menu"',
        GONE,
        "NotFound",
        POINTED,
    ),
    Case(
        "click_at",
        {"x": 7, "y": 9},
        'Clicked at 7, 9.\nThe title is now "click 7"',
        {"x": -5, "y": 9},
        "InvalidArgs",
        POINTED,
    ),
    Case(
        "drag",
        {"from_selector": "#from", "to_selector": "#to"},
        'Dragged div "From" to div "To".\nThe title is now "taken and dropped"',
        {"from_selector": "#from", "to_selector": "@e999"},
        "NotFound",
        POINTED,
    ),
)
KEYBOARD_AND_FORMS = (
    Case(
        "type_text",
        {"selector": "#name", "text": "Ada"},
        'textbox "Name" is now "Ada".',
        {"selector": "#size", "text": "Huge"},
        "NotFound",
        CONTROLS,
    ),
    Case(
        "slow_type",
        {"selector": "#name", "text": "er", "delay_ms": 1},
        f'Typed into textbox "Name".\n{field_with("older")}',
        {**GONE, "text": "x"},
        "NotFound",
        CONTROLS,
    ),
    Case(
        "press_key",
        {"key": "Ctrl+A"},
        "Pressed Ctrl+A.\nNothing changed.",
        {"key": "Hyperspace"},
        "InvalidArgs",
        CONTROLS,
        (("click", {"selector": "#name"}),),
        ("getSelection().toString()", "old"),
    ),
    Case(
        "select_option",
        {"selector": "#size", "value": "l"},
        'combobox "Size" is now "Large".\n~ @e3: combobox "Size" = "Large" (focused, 2 options)',
        {"selector": "#size", "value": "Huge"},
        "NotFound",
        CONTROLS,
    ),
    Case(
        "upload_file",
        {"selector": "#file", "file_path": "{folder}/note.txt"},
        'Uploaded note.txt to button "File".\n~ @e4: button "File" = "note.txt"',
        {"selector": "#file", "file_path": "/etc/passwd"},
        "Denied",
        CONTROLS,
    ),
)
SCROLL_AND_WAIT = (
    Case(
        "scroll",
        {"direction": "down", "amount": 200},
        "Scrolled to 0, 200 (at most 0, N).\nNothing changed.",
        {"direction": "sideways"},
        "InvalidArgs",
        TALL,
    ),
    Case(
        "scroll_element",
        {"selector": "#box", "delta_x": 30, "delta_y": 40},
        "Scrolled to 30, 40 (at most N, N).\nNothing changed.",
        GONE,
        "NotFound",
        TALL,
    ),
    Case(
        "scroll_into_view",
        {"selector": "h2"},
        'Scrolled to heading "End".\nNothing changed.',
        GONE,
        "NotFound",
        TALL,
    ),
    Case(
        "wait_for_element",
        {"selector": "h1"},
        "Now visible: h1.",
        {"selector": "#never", "timeout_ms": 50},
        "TimedOut",
    ),
    Case(
        "wait_for_text",
        {"text": "Some words"},
        'Shown: "Some words".',
        {"text": "Other words", "timeout_ms": 50},
        "TimedOut",
    ),
    Case(
        "wait_for_url",
        {"pattern": "*/page*"},
        "The URL is {page}.",
        {"pattern": "*/other", "timeout_ms": 50},
        "TimedOut",
    ),
    Case(
        "wait",
        {"duration_ms": 20},
        "Waited 0.02 s.",
        {"duration_ms": 1e9},
        "InvalidArgs",
        rest={"ms": 20},
        rest_fails={"ms": 1e9},
    ),
)
OBSERVE = (
    Case(
        "get_page_state",
        {},
        '{page} "Plain"\n[Snapshot of {host}]\n- @e1: heading "Plain" (level: 1)\n- "Some words."',
        {"cursor": "o99"},
        "NotFound",
    ),
    Case(
        "get_ax_tree",
        {},
        '[Snapshot of {host}]\n- @e1: heading "Plain" (level: 1)\n- "Some words."',
        {"cursor": "o99"},
        "NotFound",
    ),
    Case(
        "screenshot",
        {"format": "webp", "quality": 50, "full_page": True},
        "Screenshot of N x N pixels, scale 1, from 0, 0.",
        {"format": "gif"},
        "InvalidArgs",
    ),
    Case(
        "screenshot_element",
        {"selector": "h1", "format": "png"},
        "Screenshot of N x N pixels, scale 1, from N, N.",
        GONE,
        "NotFound",
    ),
    Case(
        "get_dom_context",
        {},
        'Elements (1):\n@e1 button "Menu"\nForms (1):\n@e2 form "Contact" post {site}/send\n'
        '  @e3 textbox "Mail" = "a@b.c" name=mail required\n  @e4 button "Send"\n'
        'Links (1):\n@e5 "Imprint" {site}/imprint',
        RED,
        "InvalidArgs",
        FORM,
    ),
    Case(
        "extract_data",
        {"selectors": {"item": ".card", "fields": {"name": "b", "price": {"css": "i", "type": "number"}}}},
        '[{"name":"Tea","price":1299.5},{"name":"Nut","price":3}]',
        {"selectors": {"title": "h1["}},
        "InvalidArgs",
        CARDS,
    ),
    Case("get_page_text", {}, "# Plain\n\nSome words.", {"cursor": "o99"}, "NotFound"),
)
REFS_AND_SCRIPTS = (
    Case("click_ref", {"ref_id": "e1"}, DONE, NO_REF, "NotFound", CONTROLS, STATE),
    Case(
        "type_ref",
        {"ref_id": "@e2", "text": "Eve"},
        'textbox "Name" is now "Eve".',
        {**NO_REF, "text": ""},
        "NotFound",
        CONTROLS,
        STATE,
    ),
    Case(
        "focus_ref",
        {"ref_id": "e2"},
        'Focused textbox "Name".\nFocus: @e2: textbox "Name" = "old" (focused)',
        NO_REF,
        "NotFound",
        CONTROLS,
        STATE,
    ),
    Case(
        "evaluate_js",
        {"expression": "[1, document.title]"},
        '[1,"Plain"]',
        {"expression": "]["},
        "InvalidArgs",
    ),
)
TABS = (
    Case("list_tabs", {}, "tN (current): {page}", RED, "InvalidArgs"),
    Case(
        "new_tab",
        {"url": "{site}/inner"},
        "tN: {page}\ntN (current): {site}/inner",
        {"url": "nowhere"},
        "InvalidArgs",
    ),
    Case(
        "switch_tab",
        {"target_id": "{first}"},
        "tN (current): {page}\ntN: {site}/inner",
        {"target_id": "t0"},
        "NotFound",
        before=(IN_NEW_TAB,),
    ),
    Case(
        "close_tab",
        {"target_id": "{first}"},
        "tN (current): {site}/inner",
        {"target_id": "t0"},
        "NotFound",
        before=(IN_NEW_TAB,),
    ),
    Case(
        "wait_for_new_tab",
        {},
        "tN opened tab tN: {site}/inner",
        {"timeout_ms": 50},
        "TimedOut",
        OPENING,
        (("click", {"selector": "a"}),),
    ),
)
COOKIES_AND_STORAGE = (
    Case("get_cookies", {}, "a=b (127.0.0.1/)", RED, "InvalidArgs", before=(COOKIE,)),
    Case(
        "set_cookie",
        {"name": "c", "value": "d", "domain": "127.0.0.1", "path": "/"},
        "Set the cookie c.",
        {"name": "", "value": "d", "domain": "127.0.0.1"},
        "InvalidArgs",
        proof=("document.cookie", "c=d"),
    ),
    Case(
        "delete_cookies",
        {},
        "Deleted all cookies.",
        RED,
        "InvalidArgs",
        before=(COOKIE,),
        proof=("document.cookie.length", "0"),
    ),
    Case(
        "get_storage",
        {"storage_type": "session"},
        '{"b":"2"}',
        {"storage_type": "cloud"},
        "InvalidArgs",
        KEEPING,
    ),
    Case(
        "set_storage",
        {"storage_type": "local", "key": "k", "value": "v"},
        "Set the item k.",
        {"storage_type": "local", "value": "v"},
        "InvalidArgs",
        KEEPING,
        proof=("localStorage.k", "v"),
    ),
    Case(
        "clear_storage",
        {"storage_type": "local", "key": "a"},
        "Removed the item a.",
        {"storage_type": "cloud"},
        "InvalidArgs",
        KEEPING,
        proof=("localStorage.length", "0"),
    ),
)
CONSOLE_AND_NETWORK = (
    Case("enable_console_capture", {}, CONSOLE, RED, "InvalidArgs", KEEPING),
    Case("get_console_logs", {}, CONSOLE, RED, "InvalidArgs", KEEPING),
    Case("clear_console", {}, "The console is empty.", RED, "InvalidArgs", KEEPING),
    Case(
        "get_network_log",
        {},
        "rN GET {page} 200 Document N B N ms\nrN GET {site}/data 200 Fetch N B N ms by script {page}:1",
        {"request_id": "r999"},
        "NotFound",
        FETCHING,
        (("wait_for_text", {"text": "real"}),),
    ),
    Case("clear_network_log", {}, "No matching requests.", RED, "InvalidArgs"),
    Case(
        "block_url",
        {"url_pattern": "*/data"},
        "Rule iN blocks */data.",
        {"url_pattern": ""},
        "InvalidArgs",
        proof=(FETCHED, "TypeError: Failed to fetch"),
    ),
    Case(
        "mock_url",
        {"url_pattern": "*/data", "status": 203, "body": "made up", "headers": {"X-A": "b"}},
        "Rule iN answers */data.",
        {"url_pattern": "*/data", "status": 99},
        "InvalidArgs",
        proof=(FETCHED, "203,b,made up"),
    ),
    Case(
        "clear_intercepts",
        {},
        "Cleared all rules.",
        RED,
        "InvalidArgs",
        before=(("block_url", {"url_pattern": "*/data"}),),
        proof=(FETCHED, "200,,real"),
    ),
)
THE_REST = (
    Case(
        "handle_dialog",
        {"action": "accept", "prompt_text": "Ada"},
        'Accepted the prompt dialog "Who?".\nThe title is now "Ada"\nFocus: @e1: button "Ask" (focused)',
        {"action": "accept"},
        "NotFound",
        DIALOG,
        (("click", {"selector": "button"}),),
        (TITLE, "Ada"),
    ),
    Case(
        "emulate",
        {"width": 400, "height": 300, "device_scale_factor": 2, "user_agent": "Us/1"},
        "Emulating width, height, scale, user_agent.",
        {"width": 400},
        "InvalidArgs",
        proof=("[innerWidth, innerHeight, devicePixelRatio, navigator.userAgent].join()", "400,300,2,Us/1"),
    ),
    Case(
        "tap",
        {"selector": "#t"},
        'Tapped paragraph "Touch".\nThe title is now "down"',
        GONE,
        "NotFound",
        TOUCHED,
    ),
    Case(
        "swipe",
        {"selector": "#t", "direction": "down", "distance": 100},
        'Swiped down on paragraph "Touch".\nThe title is now "moved"',
        {**GONE, "direction": "up"},
        "NotFound",
        TOUCHED,
    ),
    Case(
        "print_to_pdf",
        {"landscape": True, "scale": 0.5, "page_ranges": "1"},
        "PDF of N bytes.",
        {"page_ranges": "first"},
        "InvalidArgs",
    ),
    Case("get_frames", {}, 'f0 (chosen) {page}\nfN "inner" {site}/inner', RED, "InvalidArgs", FRAMED),
    Case(
        "switch_frame",
        {"frame_id": "inner"},
        "[In frame fN]\nTargets, snapshots and scripts now use frame fN, until main_frame or the next page.",
        {"frame_id": "outer"},
        "NotFound",
        FRAMED,
        proof=(TITLE, "[In frame fN]\nInner"),
    ),
    Case(
        "main_frame",
        {},
        "Targets, snapshots and scripts now use the whole page.",
        RED,
        "InvalidArgs",
        FRAMED,
        (("switch_frame", {"frame_id": "inner"}),),
        (TITLE, "Framed"),
    ),
)
# One profile, `{name}`, from creation to deletion.
ABOUT = "de-DE; Asia/Tokyo; #work; {home}/profiles/{name}"
RUNS = "{name}: {name}; process N; since N; 1 tab"
PROFILE: tuple[tuple[str, Json, str], ...] = (
    (
        "create_profile",
        {"name": "{name}", "lang": "de-DE", "timezone": "Asia/Tokyo", "tags": ["work"]},
        f"{{name}}: {{name}}; {ABOUT}",
    ),
    ("create_profile", {"name": ""}, "InvalidArgs"),
    ("list_profiles", {}, f"{{name}}: {{name}}; {ABOUT}"),
    ("list_profiles", RED, "InvalidArgs"),
    ("get_profile", {"id": "{name}"}, f"{{name}}: {{name}}; {ABOUT}"),
    ("get_profile", {"id": "nobody"}, "NotFound"),
    ("update_profile", {"id": "{name}", "description": "Ours"}, f"{{name}}: {{name}}; Ours; {ABOUT}"),
    ("update_profile", {"id": "nobody", "description": "Ours"}, "NotFound"),
    ("get_running_browsers", {}, "No profile's browser is running."),
    ("get_running_browsers", RED, "InvalidArgs"),
    ("launch_browser", {"profile_id": "{name}"}, f"Started: {RUNS}"),
    ("launch_browser", {"profile_id": "nobody"}, "NotFound"),
    ("navigate", {"profile_id": "{name}", "url": "{page}"}, "Navigated to {page} (200 OK)"),
    ("evaluate_js", {"profile_id": "{name}", "expression": ZONE}, "de-DE Asia/Tokyo"),
    ("get_running_browsers", {}, RUNS),
    ("delete_profile", {"id": "{name}"}, "Blocked"),
    ("get_current_url", {"profile_id": "{name}x"}, "NotFound"),
    (
        "kill_browser",
        {"profile_id": "{name}"},
        "Killed the browser of profile {name}, process N; its files are saved.",
    ),
    ("kill_browser", {"profile_id": "{name}"}, "NotFound"),
    ("delete_profile", {"id": "{name}"}, "Deleted profile {name}. {home}/profiles/{name} was kept."),
)
CASES = (
    *NAVIGATION,
    *MOUSE,
    *KEYBOARD_AND_FORMS,
    *SCROLL_AND_WAIT,
    *OBSERVE,
    *REFS_AND_SCRIPTS,
    *TABS,
    *COOKIES_AND_STORAGE,
    *CONSOLE_AND_NETWORK,
    *THE_REST,
)
