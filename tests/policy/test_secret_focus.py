"""A secret reaches its own origin only, whatever a page does with focus and navigation meanwhile."""

from contextlib import suppress
from typing import Any

import pytest

from tabwright.errors import Blocked, Denied, InvalidArgs, Stale, TabwrightError
from tests.policy.desk import Desk
from tests.policy.hostile import LISTENER, VALUE, overheard, serve_hostile, value_length
from tests.web import Web, serve_web

FIELD = "<input id=word type=password aria-label=Word>"
FILL = ("fill", {"target": "#word", "value": "{{secret:site}}"})
TYPE = ("type_text", {"target": "#word", "text": "{{secret:site}}"})
SLOWLY: tuple[str, dict[str, Any]] = ("type_text", {**TYPE[1], "delay": 0.02})


async def show(desk: Desk, web: Web, html: str) -> None:
    """Store the secret for the site, and open a page of it."""
    desk.secrets.put("site", web.url, VALUE)
    await desk.do("navigate", url=web.page(html))


async def failure_of(desk: Desk, way: tuple[str, dict[str, Any]]) -> TabwrightError:
    with pytest.raises(TabwrightError) as failure:
        await desk.do(way[0], **way[1])
    assert VALUE not in str(failure.value)
    return failure.value


async def test_a_frame_that_keeps_taking_the_focus_gets_nothing(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        await show(desk, web, f"{FIELD}<iframe src='{serve_hostile(evil)}'></iframe>")
        for _ in range(5):
            answer = await desk.do(FILL[0], **FILL[1])
            assert answer.text.startswith('textbox "Word" is now')
            assert await value_length(desk) == len(VALUE)
        for action, args in (TYPE, SLOWLY):
            await desk.do("fill", target="#word", value="")
            answer = await desk.do(action, **args)
            assert answer.text.startswith('Typed into textbox "Word".')
            assert await value_length(desk) == len(VALUE)
        assert await overheard(desk, evil) == []


async def test_a_frame_in_the_same_process_that_holds_on_to_the_focus_gets_nothing(
    desk: Desk, web: Web
) -> None:
    async with serve_web() as evil:
        script = "trap.onblur = () => trap.focus(); trap.focus()"
        serve_hostile(evil)
        near = evil.page(f"<input id=trap>{LISTENER}<script>{script}</script>", "/near")
        await show(desk, web, f"{FIELD}<iframe src='{near}'></iframe>")
        for (action, args), length in ((FILL, len(VALUE)), (TYPE, 2 * len(VALUE))):
            await desk.do(action, **args)
            assert await value_length(desk) == length
        assert await overheard(desk, evil) == []


async def test_a_page_that_navigates_while_text_is_typed_takes_no_secret_along(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        landing = serve_hostile(evil, f"<title>Next</title><input autofocus>{LISTENER}")
        leave = f"if (this.value.length === 4) location = '{landing}'"
        await show(desk, web, f'<input id=word aria-label=Word oninput="{leave}">')
        error = await failure_of(desk, SLOWLY)
        assert isinstance(error, Stale | Denied)
        assert error.message.startswith("Stopped after ")
        assert f" of {len(VALUE)} characters: " in error.message
        await desk.do("wait_for_url", pattern=landing)
        assert await overheard(desk, evil) == []


@pytest.mark.parametrize("way", [FILL, TYPE], ids=["fill", "type"])
async def test_a_page_that_leaves_at_the_first_focus_takes_no_secret_along(
    desk: Desk, web: Web, way: tuple[str, dict[str, Any]]
) -> None:
    async with serve_web() as evil:
        landing = serve_hostile(evil, f"<input autofocus id=word aria-label=Word>{LISTENER}")
        script = f"document.querySelector('input').onfocus = () => {{ location = '{landing}' }}"
        await show(desk, web, f"{FIELD}<script>{script}</script>")
        with suppress(Stale, Denied):
            await desk.do(way[0], **way[1])
        await desk.do("wait_for_url", pattern=landing)
        assert (await desk.do("get_value", target="#word")).result.model_dump()["value"] == ""
        assert await overheard(desk, evil) == []


# What a page of the right origin does with its field, and what the answer says.
MOVES = {
    "removes the field": (
        "if (n === 4) word.remove()",
        Blocked,
        'Stopped after 4 of 17 characters: The page has removed textbox "Word".',
    ),
    "replaces the field": (
        "if (n === 4) word.replaceWith(word.cloneNode())",
        Blocked,
        'Stopped after 4 of 17 characters: The page has removed textbox "Word".',
    ),
    "moves the field into a frame": (
        "if (n === 4) document.querySelector('iframe').contentDocument.body.append(word)",
        Blocked,
        'Stopped after 4 of 17 characters: The page has removed textbox "Word".',
    ),
    "shows what the field hid": (
        "if (n === 4) word.type = 'text'",
        Blocked,
        'Stopped after 4 of 17 characters: textbox "Word" no longer hides what is typed.',
    ),
    "disables the field": (
        "if (n === 4) word.disabled = true",
        Blocked,
        'Stopped after 4 of 17 characters: textbox "Word" is disabled.',
    ),
    "makes the field read-only": (
        "if (n === 4) word.readOnly = true",
        Blocked,
        'Stopped after 4 of 17 characters: textbox "Word" is read-only.',
    ),
    "focuses another field": (
        "if (n === 4) other.focus()",
        Blocked,
        'Stopped after 4 of 17 characters: The page moves the focus from textbox "Word" to textbox "Other".',
    ),
    "adds a field that takes the focus": (
        "if (n === 4) { const more = word.cloneNode(); more.ariaLabel = 'More'; word.after(more); more.focus() }",
        Blocked,
        'Stopped after 4 of 17 characters: The page moves the focus from textbox "Word" to textbox "More".',
    ),
    "opens a dialog": (
        "if (n === 4) alert('Hello')",
        Blocked,
        'Stopped after 3 of 17 characters: The page shows an alert dialog "Hello".',
    ),
}


@pytest.mark.parametrize("move", MOVES)
async def test_typing_stops_when_the_field_is_not_what_it_was(desk: Desk, web: Web, move: str) -> None:
    script, kind, message = MOVES[move]
    handler = f"word.oninput = () => {{ const n = word.value.length; {script} }}"
    await show(
        desk,
        web,
        f"{FIELD}<input id=other aria-label=Other><iframe></iframe><script>"
        f"const word = document.querySelector('#word'), other = document.querySelector('#other')\n{handler}</script>",
    )
    error = await failure_of(desk, TYPE)
    assert (error.kind, error.message) == (kind, message)


async def test_a_field_whose_focus_handler_moves_the_focus_gets_nothing(desk: Desk, web: Web) -> None:
    await show(
        desk,
        web,
        f"{FIELD}<input id=other aria-label=Other><script>word.onfocus = () => other.focus()</script>",
    )
    for way in (TYPE, FILL):
        error = await failure_of(desk, way)
        assert isinstance(error, Blocked)
        assert await value_length(desk) == await value_length(desk, "#other") == 0
    typed = await failure_of(desk, TYPE)
    assert typed.message == 'The page moves the focus from textbox "Word" to textbox "Other".'


async def test_a_secret_is_not_typed_into_a_document_without_an_origin(desk: Desk, web: Web) -> None:
    inner = web.page(FIELD, "/inner")
    for frame in (
        f"<iframe sandbox='allow-scripts allow-forms' src='{inner}'></iframe>",
        f"<iframe sandbox srcdoc='{FIELD}'></iframe>",
        f"<iframe srcdoc='{FIELD}'></iframe>",
        f"<iframe src='data:text/html,{FIELD}'></iframe>",
    ):
        await show(desk, web, frame)
        for way in (FILL, TYPE):
            error = await failure_of(desk, way)
            assert isinstance(error, Denied)
            assert error.message == f"The secret is for {web.url}, and this is a page without an origin."
    await show(desk, web, f"<iframe src='{inner}'></iframe>")
    await desk.do(FILL[0], **FILL[1])


async def test_a_secret_is_typed_into_text_fields_only(desk: Desk, web: Web) -> None:
    await show(desk, web, "<div id=word tabindex=0 role=listbox aria-label=Word>x</div>")
    error = await failure_of(desk, TYPE)
    assert isinstance(error, InvalidArgs)
    assert error.message == 'listbox "Word" is not a text field.'
    assert isinstance(await failure_of(desk, FILL), InvalidArgs)


CODE = """<form>{boxes}</form><p id=seen></p><script>
const boxes = [...document.querySelectorAll('input')]
boxes.forEach((box, i) => box.addEventListener('{event}', event => {{ {advance} }}))
</script>"""
BOXES = "".join("<input inputmode=numeric maxlength=1 aria-label='Digit'>" for _ in range(6))
ADVANCES = {
    "at once": ("input", "if (box.value) boxes[i + 1]?.focus()"),
    "a moment later": ("input", "if (box.value) setTimeout(() => boxes[i + 1]?.focus(), 20)"),
    "after the key": ("keyup", "if (box.value) boxes[i + 1]?.focus()"),
    "with its own key handler": (
        "keydown",
        "if (/^\\\\d$/.test(event.key)) { event.preventDefault(); box.value = event.key; boxes[i + 1]?.focus() }",
    ),
}


# Without a limit, all characters typed at once are in the first box before the page moves on a moment later.
@pytest.mark.parametrize(
    ("advance", "limited"),
    [*((advance, True) for advance in ADVANCES), ("at once", False), ("with its own key handler", False)],
)
async def test_a_code_is_typed_into_boxes_that_advance_by_themselves(
    desk: Desk, web: Web, advance: str, limited: bool
) -> None:
    event, script = ADVANCES[advance]
    boxes = BOXES if limited else BOXES.replace(" maxlength=1", "")
    async with serve_web() as evil:
        thief = f"<iframe src='{serve_hostile(evil)}'></iframe>"
        desk.secrets.put("code", web.url, "123456")
        page = CODE.format(boxes=boxes, event=event, advance=script.replace("\\\\", "\\"))
        await desk.do("navigate", url=web.page(page + thief))
        await desk.do("type_text", target="input >> nth=0", text="{{secret:code}}")
        held = await desk.do(
            "evaluate", script="[...document.querySelectorAll('input')].map(one => one.value)"
        )
        assert held.result.model_dump() == {"value": list("123456")}
        assert await overheard(desk, evil) == []
