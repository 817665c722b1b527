"""Secrets in every kind of field, by every action that types: the page gets what a user would have typed."""

from pathlib import Path
from typing import Any

import pytest

from tabwright.errors import Blocked, Denied, InvalidArgs
from tests.policy.desk import Desk
from tests.policy.hostile import LISTENER, overheard, serve_hostile
from tests.web import Response, Web, serve_web

VALUE = "Se cret-9"


async def show(desk: Desk, web: Web, html: str, value: str = VALUE, **page: Any) -> None:
    desk.secrets.put("site", web.url, value)
    await desk.do("navigate", url=web.page(html, **page))


async def value_of(desk: Desk, expression: str) -> Any:
    """Evaluate in the page; secrets are taken apart, so that they are not redacted."""
    script = f"[...String({expression})]"
    return "".join((await desk.do("evaluate", script=script)).result.model_dump()["value"])


FIELDS = {
    "text": ("<input id=word>", VALUE, "'#word').value"),
    "password": ("<input id=word type=password>", VALUE, "'#word').value"),
    "email": ("<input id=word type=email>", "ada@example.org", "'#word').value"),
    "number": ("<input id=word type=number>", "4711", "'#word').value"),
    "search": (
        "<input id=word type=search list=l><datalist id=l><option>Se</datalist>",
        VALUE,
        "'#word').value",
    ),
    "textarea": ("<textarea id=word></textarea>", "one\ntwo", "'#word').value"),
    "editor": ("<div id=word contenteditable aria-label=Word></div>", VALUE, "'#word').innerText"),
    "plain editor": ("<div id=word contenteditable=plaintext-only></div>", VALUE, "'#word').innerText"),
    "unknown keys": ("<input id=word>", "pä€🙂", "'#word').value"),
    "label": ("<label id=word>Word <input></label>", VALUE, "'input').value"),
}


@pytest.mark.parametrize("kind", FIELDS)
async def test_a_secret_is_filled_and_typed_into_any_text_field(desk: Desk, web: Web, kind: str) -> None:
    html, value, read = FIELDS[kind]
    await show(desk, web, html, value)
    await desk.do("fill", target="#word", value="{{secret:site}}")
    assert await value_of(desk, f"document.querySelector({read}") == value
    await desk.do("fill", target="#word", value="")
    await desk.do("type_text", target="#word", text="{{secret:site}}")
    assert await value_of(desk, f"document.querySelector({read}") == value


async def test_a_secret_is_appended_and_replaces_what_was_there(desk: Desk, web: Web) -> None:
    await show(desk, web, "<input id=word value=old>")
    await desk.do("fill", target="#word", value="{{secret:site}}", clear=False)
    assert await value_of(desk, "document.querySelector('#word').value") == f"old{VALUE}"
    await desk.do("fill", target="#word", value="{{secret:site}}")
    assert await value_of(desk, "document.querySelector('#word').value") == VALUE


async def test_a_field_in_a_closed_shadow_root_gets_the_secret(desk: Desk, web: Web) -> None:
    script = """customElements.define('a-word', class extends HTMLElement { constructor() { super()
      const root = this.attachShadow({ mode: 'closed' })
      root.innerHTML = '<input aria-label=Word>'
      root.firstChild.oninput = event => { document.title = event.target.value.length }
    } })"""
    await show(desk, web, f"<a-word></a-word><script>{script}</script>")
    await desk.do("type_text", target="label=Word", text="{{secret:site}}")
    assert await value_of(desk, "document.title") == str(len(VALUE))
    await desk.do("fill", target="label=Word", value="{{secret:site}}{{secret:site}}")
    assert await value_of(desk, "document.title") == str(2 * len(VALUE))


async def test_the_page_gets_the_events_of_typed_text(desk: Desk, web: Web) -> None:
    script = """const seen = []
for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup'])
  document.querySelector('#word').addEventListener(type, event => {
    seen.push(`${type} ${event.key ?? event.data} ${event.keyCode ?? event.inputType} ${event.shiftKey ?? ''}`.trim())
    document.title = seen.join('; ')
  })"""
    await show(desk, web, f"<input id=word><script>{script}</script>", "aB-9")
    await desk.do("type_text", target="#word", text="{{secret:site}}")
    seen = (await value_of(desk, "document.title")).split("; ")
    assert seen[:10] == [
        "keydown a 65 false",
        "keypress a 97 false",
        "beforeinput a insertText",
        "input a insertText",
        "keyup a 65 false",
        "keydown B 66 true",
        "keypress B 66 true",
        "beforeinput B insertText",
        "input B insertText",
        "keyup B 66 true",
    ]
    assert len(seen) == 5 * 4


async def test_a_page_that_overrides_the_functions_of_its_world_changes_nothing(desk: Desk, web: Web) -> None:
    script = """document.execCommand = Document.prototype.execCommand = () => { document.title = 'overridden' }
HTMLElement.prototype.focus = () => { document.title = 'overridden' }
EventTarget.prototype.dispatchEvent = () => { document.title = 'overridden' }
Object.defineProperty(Document.prototype, 'activeElement', { get: () => null })
window.origin = 'https://other.example'"""
    await show(desk, web, f"<title>Plain</title><input id=word><script>{script}</script>")
    await desk.do("type_text", target="#word", text="{{secret:site}}")
    assert await value_of(desk, "document.title + document.querySelector('#word').value") == f"Plain{VALUE}"


async def test_enter_is_pressed_and_tab_goes_on_in_the_next_field(
    desk: Desk, web: Web, tmp_path: Path
) -> None:
    (tmp_path / "secrets.toml").write_text(
        f'[site]\norigin = "{web.url}"\nuser = "ada-l"\nword = "{VALUE}"\n'
    )
    (tmp_path / "secrets.toml").chmod(0o600)
    web.route("/login", lambda request: Response(f"<title>{request.body.decode()}</title>"))
    form = "<form action=/login method=post><input id=user name=user><input type=password name=word><button>Go</button></form>"
    await desk.do("navigate", url=web.page(form))
    text = "{{secret:site.user}}\t{{secret:site.word}}\n"
    await desk.do("type_text", target="#user", text=text)
    await desk.do("wait_for_url", pattern="*/login")
    assert (await web.wait_for_request("/login")).body == b"user=ada-l&word=Se+cret-9"


async def test_a_field_that_does_not_take_a_character_stops_the_typing(desk: Desk, web: Web) -> None:
    await show(desk, web, "<input id=word maxlength=4 aria-label=Word>")
    with pytest.raises(Blocked) as stopped:
        await desk.do("type_text", target="#word", text="{{secret:site}}")
    assert (
        stopped.value.message
        == 'Stopped after 4 of 9 characters: textbox "Word" accepts at most 4 characters.'
    )
    await show(desk, web, "<input id=word type=number aria-label=Word>")
    with pytest.raises(Blocked) as stopped:
        await desk.do("type_text", target="#word", text="{{secret:site}}")
    assert stopped.value.message == 'spinbutton "Word" did not accept it.'


async def test_a_secret_is_not_sent_to_whatever_has_the_focus(desk: Desk, web: Web) -> None:
    await show(desk, web, "<input id=word autofocus>")
    for action in ("type_text", "insert_text"):
        with pytest.raises(InvalidArgs, match="A secret is typed into a named element only"):
            await desk.do(action, text="{{secret:site}}")


async def test_a_batch_types_secrets_as_single_calls_do(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        await show(desk, web, f"<input id=word><iframe src='{serve_hostile(evil)}'></iframe>")
        steps = [
            '{"action": "fill", "target": "#word", "value": "{{secret:site}}"}',
            '{"action": "type_text", "target": "#word", "text": "{{secret:site}}", "delay": 0.005}',
        ]
        answer = await desk.do("batch", steps=steps)
        assert answer.result.model_dump()["done"] == 2
        assert await value_of(desk, "document.querySelector('#word').value") == VALUE * 2
        assert await overheard(desk, evil) == []


TOOL = """<title>Login</title><script>
document.modelContext.registerTool({ name: 'log_in', description: 'Log in',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  execute({ word }) { document.title = word.length; return { content: [{ type: 'text', text: 'Welcome' }] } } })
</script>"""
FORMS = """<form toolname=log_in tooldescription="Log in" {auto} action=/done>
<input type=password name=word aria-label=Word required><button>Log in</button></form>"""


async def test_tools_that_a_page_declares_get_secrets_of_their_own_origin_only(desk: Desk, web: Web) -> None:
    call: dict[str, Any] = {"name": "log_in", "arguments": {"word": "{{secret:site}}"}}
    await show(desk, web, TOOL)
    assert (await desk.do("call_page_tool", **call)).text.startswith("Ran log_in.")
    assert await value_of(desk, "document.title") == str(len(VALUE))
    await show(desk, web, FORMS.format(auto=""))
    filled = await desk.do("call_page_tool", **call)
    assert filled.text.startswith("Filled in the form of log_in, not submitted: the site leaves that to you.")
    assert await value_of(desk, "document.querySelector('input').value") == VALUE
    web.page("<title>Done</title>", "/done")
    await show(desk, web, FORMS.format(auto="toolautosubmit"))
    await desk.do("call_page_tool", **call)
    await web.wait_for_request("/done")
    async with serve_web() as other:
        await desk.do("navigate", url=other.page(TOOL))
        with pytest.raises(Denied) as refused:
            await desk.do("call_page_tool", **call)
        assert refused.value.message == f"The secret is for {web.url}, and this is {other.url}."


async def test_the_form_of_a_page_tool_gets_the_secret_and_no_frame_does(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        web.route("/done", lambda _: Response("<title>Done</title>"))
        form = "<form action=/done method=post><label>Name <input name=name></label><label>Password <input type=password name=word></label><button>Log in</button></form>"
        await show(desk, web, f"<title>Login</title>{form}<iframe src='{serve_hostile(evil)}'></iframe>")
        arguments = {"name": "ada", "password": "{{secret:site}}"}
        await desk.do("call_page_tool", name="log_in", arguments=arguments)
        assert (await web.wait_for_request("/done")).body == b"name=ada&word=Se+cret-9"
        heard = [json for json in await overheard(desk, evil) if json[0] != "keyup"]
        assert heard == []


async def test_a_frame_that_appears_with_the_focus_gets_nothing(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        source = serve_hostile(evil, f"<input autofocus id=trap>{LISTENER}<script>trap.focus()</script>")
        add = "const frame = document.createElement('iframe'); frame.src = this.dataset.src; document.body.append(frame)"
        await show(desk, web, f'<input id=word data-src="{source}" oninput="{add}">')
        await desk.do("type_text", target="#word", text="{{secret:site}}", delay=0.02)
        assert await value_of(desk, "document.querySelector('#word').value") == VALUE
        assert await overheard(desk, evil) == []
