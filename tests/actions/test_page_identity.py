"""Navigation and snapshot say in one line what a page is when it is not an ordinary one."""

import pytest

from tests.calls import Do
from tests.web import Response, Web

ARTICLE = "<p>" + "The river rose for the third day, and the bridge was closed to lorries. " * 30 + "</p>"
LOGIN = """<form><label>Email <input type=email></label>
    <label>Password <input type=password></label><button>Log in</button></form>"""
COVER = "position:fixed;inset:0;background:#fff;padding:30px"
FULL = "style='width:100vw;height:100vh;display:block'"

UNUSUAL = {
    "a login form": (LOGIN, "This page is a login form."),
    "the first step of a login": (
        "<h1>Sign in</h1><form><input type=email aria-label=Email><button>Next</button></form>",
        "This page is a login form.",
    ),
    "a login dialog": (
        f"{ARTICLE}<div role=dialog style='{COVER}'>{LOGIN}</div>",
        "A login dialog covers the page.",
    ),
    "a consent dialog": (
        f"{ARTICLE}<div style='{COVER}'><p>We use cookies.</p><button>Accept all</button><button>No</button></div>",
        "A consent dialog covers the page: answer it first.",
    ),
    "a bot challenge": (
        "<title>Just a moment...</title><h1>shop.example</h1><p>Verify you are human by completing this action.</p>",
        "This looks like a bot challenge: a person may have to solve it.",
    ),
    "a captcha": (
        "<p>Please solve this.</p><div class=g-recaptcha style='width:300px;height:70px'></div>",
        "This looks like a bot challenge: a person may have to solve it.",
    ),
    "a soft error": (f"<title>Page not found | Shop</title>{ARTICLE}", "This looks like an error page."),
    "an empty app": (
        "<div id=root></div><script>1</script>",
        "This page shows nothing yet; it may still be loading.",
    ),
    "a spinner": (
        "<div class=spinner style='width:40px;height:40px'></div><p>Loading…</p>",
        "This page shows nothing yet; it may still be loading.",
    ),
    "a canvas": (
        f"<canvas {FULL}></canvas>",
        "Most of this page is a canvas: take a screenshot to see it.",
    ),
    "a video": (f"<video {FULL}></video>", "Most of this page is a video: take a screenshot to see it."),
    "an image map": (
        f"<img usemap=#m {FULL} src=/map.png><map name=m><area href=/a coords=0,0,9,9></map>",
        "Most of this page is an image map: take a screenshot to see it.",
    ),
}


@pytest.mark.parametrize("kind", UNUSUAL)
async def test_a_page_is_described_as(do: Do, web: Web, kind: str) -> None:
    html, sentence = UNUSUAL[kind]
    url = web.page(html)
    assert (await do("navigate", url=url)).text == f"Navigated to {url} (200 OK). {sentence}"
    head = f"[Snapshot of {web.url.removeprefix('http://')}] {sentence}"
    assert (await do("snapshot")).text.splitlines()[0] == head


ORDINARY = {
    "an article": ARTICLE,
    "a short page": "<h1>Hello</h1><p>World</p>",
    "a login box in the header": f"<header>{LOGIN}</header>{ARTICLE}",
    "a form to sign up": """<h1>Create your account</h1><form><input type=email aria-label=Email>
        <input type=password aria-label=Password><button>Sign up</button><a href=/l>Log in</a></form>""",
    "a new password": "<form><input type=password><input type=password><button>Save</button></form>",
    "a cookie banner": (
        f"{ARTICLE}<div style='position:fixed;bottom:0;height:60px'>We use cookies. <button>OK</button></div>"
    ),
    "a dialog about something else": f"{ARTICLE}<div style='{COVER}'>Sale! <button>OK</button></div>",
    "a captcha in a form": "<form><textarea></textarea><div class=g-recaptcha style='height:70px'></div></form>",
    "an article about errors": f"<title>What a 404 error means</title><h1>404 errors explained</h1>{ARTICLE}",
    "an article about robots": f"<title>Are you a robot? | News</title>{ARTICLE}",
    "a decorative canvas": f"<canvas {FULL.replace('block', 'block;position:fixed;z-index:-1')}></canvas>{ARTICLE}",
    "a small video": "<h1>Film</h1><video style='width:200px;height:100px'></video>",
    "an empty page": "",
    "an app that is ready": "<div id=root><h1>Inbox</h1><p>Three new messages</p></div><script>1</script>",
}


@pytest.mark.parametrize("kind", ORDINARY)
async def test_nothing_is_said_about(do: Do, web: Web, kind: str) -> None:
    url = web.page(ORDINARY[kind])
    assert (await do("navigate", url=url)).text == f"Navigated to {url} (200 OK)"
    head = (await do("snapshot")).text.splitlines()[0]
    assert head.removesuffix(" Nothing is shown.") == f"[Snapshot of {web.url.removeprefix('http://')}]"


FILES = {
    "application/json": (b'{"a": 1}', "This page is a JSON document."),
    "application/xml": (b"<a><b>1</b></a>", "This page is an XML document."),
    "text/plain": (b"one\ntwo", "This page is plain text."),
    "image/svg+xml": (
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "This page is an image: take a screenshot to see it.",
    ),
}


@pytest.mark.parametrize("kind", FILES)
async def test_a_file_is_described(do: Do, web: Web, kind: str) -> None:
    body, sentence = FILES[kind]
    url = web.route("/file", lambda _: Response(body, headers={"Content-Type": kind}))
    assert (await do("navigate", url=url)).text == f"Navigated to {url} (200 OK). {sentence}"
    head = f"[Snapshot of {web.url.removeprefix('http://')}] {sentence}"
    assert (await do("snapshot")).text.splitlines()[0] == head


async def test_a_snapshot_of_an_error_page_names_the_status(do: Do, web: Web) -> None:
    url = web.route("/gone", lambda _: Response(b"<h1>Sorry</h1>", status=404))
    assert (await do("navigate", url=url)).text == f"Navigated to {url} (404 Not Found)"
    host = web.url.removeprefix("http://")
    assert (await do("snapshot")).text.splitlines() == [
        f"[Snapshot of {host}] The server answered 404 Not Found.",
        '- @e1: heading "Sorry" (level: 1)',
    ]


async def test_a_click_that_leads_to_a_login_form_says_so(do: Do, web: Web) -> None:
    login = web.page(f"<title>Log in</title>{LOGIN}")
    await do("navigate", url=web.page(f"<a href='{login}'>Account</a>"))
    await do("snapshot")
    text = (await do("click", target="text=Account")).text
    assert f'Navigated to {login} "Log in" (200 OK). This page is a login form.' in text


async def test_a_part_of_a_page_is_not_described(do: Do, web: Web) -> None:
    await do("navigate", url=web.page(LOGIN))
    head = (await do("snapshot", target="form")).text.splitlines()[0]
    assert head == f"[Snapshot of {web.url.removeprefix('http://')}]"
