"""The clipboard of a session: pages copy to it and paste from it, and no other session sees it."""

import pytest

from tests.calls import Do
from tests.web import Web

EDITOR = """<label>Note <textarea id=note>first words</textarea></label>
<script>onpaste = event => { document.title = `${event.isTrusted} ${event.clipboardData.types}` }</script>"""


async def test_written_text_is_pasted_by_keys(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<label>Note <textarea></textarea></label>"))
    answer = await do("write_clipboard", text="two\nlines")
    assert answer.text == "Wrote 9 characters to the clipboard."
    for chord in ("Control+v", "Shift+Insert", "Control+Shift+v"):
        await do("press", target="textarea", key="Control+a")
        await do("press", target="textarea", key=chord)
        assert (await do("get_value", target="textarea")).text == "two\nlines"
    assert (await do("read_clipboard")).text == "two\nlines"


async def test_a_page_gets_a_trusted_paste_event_with_both_formats(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page(
            """<div contenteditable id=editor>x</div><p id=out></p><script>
            editor.onpaste = event => {
              const data = event.clipboardData;
              out.textContent = [event.isTrusted, data.getData('text/plain'), data.getData('text/html')].join('|');
            };</script>"""
        ),
    )
    await do("write_clipboard", text="bold", html="<b>bold</b>")
    await do("press", target="#editor", key="Control+v")
    assert (await do("get_text", target="#out")).text == "true|bold|<b>bold</b>"
    assert (await do("evaluate", script="editor.querySelector('b').textContent")).text == "bold"


@pytest.mark.parametrize("key", ["Control+c", "Control+x", "Control+Insert"])
async def test_keys_copy_the_selection(do: Do, web: Web, key: str) -> None:
    await do("navigate", url=web.page(EDITOR))
    assert (await do("read_clipboard")).text == "The clipboard is empty."
    await do("press", target="textarea", key="Control+a")
    await do("press", target="textarea", key=key)
    assert (await do("read_clipboard")).text == "first words"
    left = (await do("get_value", target="textarea")).text
    assert ("first words" in left) == (key != "Control+x")


@pytest.mark.parametrize(
    "copy",
    [
        "navigator.clipboard.writeText('the code')",
        "navigator.clipboard.write([new ClipboardItem({'text/plain': new Blob(['the code'], {type: 'text/plain'})})])",
        "source.select(); document.execCommand('copy')",
        """oncopy = event => { event.clipboardData.setData('text/plain', 'the code'); event.preventDefault() };
        source.select(); document.execCommand('copy')""",
    ],
)
async def test_what_a_copy_button_copies_can_be_read(do: Do, web: Web, copy: str) -> None:
    button = f"""<input id=source value="the code" aria-label=Code><button>Copy</button><script>
        document.querySelector('button').onclick = async () => {{ {copy}; document.title = 'copied' }}</script>"""
    await do("navigate", url=web.page(button))
    await do("click", target="text=Copy")
    assert (await do("read_clipboard")).text == "the code"
    assert (await do("evaluate", script="document.title")).text == "copied"


async def test_a_frame_of_another_site_copies_and_pastes(do: Do, web: Web) -> None:
    web.page(EDITOR, "/inner")
    await do("navigate", url=web.page(f"<iframe src={web.other_site}/inner></iframe>"))
    await do("press", target="#note", key="Control+a")
    await do("press", target="#note", key="Control+c")
    assert (await do("read_clipboard")).text == "first words"
    await do("write_clipboard", text="other words")
    await do("press", target="#note", key="Control+a")
    await do("press", target="#note", key="Control+v")
    assert (await do("get_value", target="#note")).text == "other words"


async def test_a_session_does_not_see_what_another_copies(do: Do, web: Web) -> None:
    url = web.page(EDITOR)
    for session in ("one", "two"):
        await do("navigate", url=url, session=session)
    await do("press", target="#note", key="Control+a", session="one")
    await do("press", target="#note", key="Control+c", session="one")
    assert (await do("read_clipboard", session="two")).text == "The clipboard is empty."
    await do("set_permission", names=["clipboard-read"], session="two")
    await do("fill", target="#note", value="", session="two")
    await do("press", target="#note", key="Control+v", session="two")
    assert (await do("evaluate", script="note.value.length", session="two")).text == "0"
    script = "return navigator.clipboard.readText().then(text => `read: ${text}`, error => `${error}`)"
    assert (await do("evaluate", script=script, session="two")).text == "read: "


async def test_a_page_that_may_read_gets_the_clipboard_of_its_session(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("here"))
    await do("write_clipboard", text="words", html="<i>words</i>")
    read_text = "return navigator.clipboard.readText().catch(error => error.name)"
    assert (await do("evaluate", script=read_text)).text == "NotAllowedError"
    await do("set_permission", names=["clipboard-read"])
    assert (await do("evaluate", script=read_text)).text == "words"
    read = "const [item] = await navigator.clipboard.read(); return (await item.getType('text/html')).text()"
    assert (await do("evaluate", script=f"return (async () => {{ {read} }})()")).text == "<i>words</i>"


async def test_a_page_cannot_pretend_that_it_may_read(do: Do, web: Web) -> None:
    await do("write_clipboard", text="mine")
    await do(
        "navigate",
        url=web.page(
            """<p>words</p><button>Go</button><script>
            Permissions.prototype.query = async () => ({ state: 'granted' });
            Object.prototype.toJSON = () => ({ reply: 'got' });
            got = contents => { document.title = JSON.stringify(contents) };
            document.querySelector('button').onclick = async () => {
              await navigator.clipboard.writeText('').catch(() => 0);
              document.title = await navigator.clipboard.readText().catch(error => error.name);
            }</script>"""
        ),
    )
    await do("click", target="text=Go")
    await do("wait_for_script", script="document.title === 'NotAllowedError'")


async def test_a_password_is_not_copied(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<input type=password value=geheim aria-label=Password>"))
    await do("press", target="input", key="Control+a")
    await do("press", target="input", key="Control+c")
    assert (await do("read_clipboard")).text == "The clipboard is empty."


async def test_a_page_finds_no_trace_of_the_clipboard(do: Do, web: Web) -> None:
    await do(
        "navigate",
        url=web.page(
            "<script>found = Reflect.ownKeys(globalThis).filter(key => /tabwright/i.test(String(key)))</script>"
        ),
    )
    assert (await do("evaluate", script="[found.length, navigator.clipboard.writeText.toString()]")).text == (
        '[0,"function () { [native code] }"]'
    )


async def test_a_page_cannot_fake_a_copy(do: Do, web: Web) -> None:
    await do("write_clipboard", text="mine")
    await do(
        "navigate", url=web.page("<p>words</p><script>dispatchEvent(new ClipboardEvent('copy'))</script>")
    )
    assert (await do("read_clipboard")).text == "mine"
