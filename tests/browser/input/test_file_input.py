"""Uploading files, in real Chromium."""

from pathlib import Path

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs
from tests.web import Web

READ = "Promise.all([...document.querySelector('input').files].map(async file => [file.name, await file.text()]))"


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada")
    return file


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<input type=file>", "input"),
        ("<input type=file hidden>", "input"),
        ("<label>Letter <input type=file style='display: none'></label>", "text=Letter"),
        ("<div id=drop>Drop here <input type=file style='opacity: 0'></div>", "#drop"),
    ],
)
async def test_a_file_reaches_the_page(tab: Tab, web: Web, letter: Path, html: str, target: str) -> None:
    await tab.goto(web.page(html))
    assert await tab.element(target).upload(letter) == ["letter.txt"]
    assert await tab.evaluate(READ) == [["letter.txt", "Dear Ada"]]


async def test_an_upload_fires_a_change_event(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(
        web.page(
            """<input type=file><script>const seen = [];
            for (const type of ["input", "change"])
              document.querySelector("input").addEventListener(type, event => seen.push([type, event.isTrusted]));
            </script>"""
        )
    )
    await tab.element("input").upload(str(letter))
    assert await tab.evaluate("seen") == [["input", True], ["change", True]]


async def test_an_input_for_several_files_gets_several(tab: Tab, web: Web, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.png", "b.png")]
    for file in files:
        file.write_bytes(b"png")
    await tab.goto(web.page("<input type=file multiple accept='image/*,.pdf'>"))
    assert await tab.element("input").upload(*files) == ["a.png", "b.png"]
    assert await tab.element("input").upload() == []


@pytest.mark.parametrize("site", ["url", "other_site"])
async def test_a_file_reaches_a_frame(tab: Tab, web: Web, letter: Path, site: str) -> None:
    web.page("<input type=file>", "/inner")
    await tab.goto(web.page(f"""<iframe src="{getattr(web, site)}/inner"></iframe>"""))
    assert await tab.element("input").upload(letter) == ["letter.txt"]


async def test_files_that_the_input_does_not_accept_are_rejected(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<input type=file accept='image/*' aria-label=Photo><input id=text>"))
    photo = tab.element("label=Photo")
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter)
    assert str(refusal.value) == 'button "Photo" does not accept letter.txt. It accepts image/*.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter, letter)
    assert str(refusal.value) == 'button "Photo" accepts one file, not 2. Give one.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter.parent)
    assert str(refusal.value) == f'{letter.parent} is not a file. button "Photo" accepts a file.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload("/no/such/file.png")
    assert str(refusal.value) == (
        "/no/such/file.png does not exist. Give the path of a file on this computer."
    )
    with pytest.raises(InvalidArgs, match=r"^textbox is not a form field\."):
        await tab.element("#text").upload(letter)


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<button onclick='file.click()'>Choose</button>", "button"),
        ("<div role=button onclick='file.click()'>Drop files here</div>", "text=Drop files here"),
        ("<label for=file role=button><b>Choose</b></label>", "b"),
        ("<button onclick='setTimeout(() => file.click(), 300)'>Later</button>", "button"),
        ("<input readonly value='No file' onclick='file.click()'>", "role=textbox"),
    ],
)
async def test_a_button_that_opens_a_file_chooser_gets_the_files(
    tab: Tab, web: Web, letter: Path, html: str, target: str
) -> None:
    await tab.goto(web.page(f"<input type=file id=file hidden>{html}"))
    assert await tab.element(target).upload(letter) == ["letter.txt"]
    assert await tab.evaluate(READ) == [["letter.txt", "Dear Ada"]]


async def test_a_detached_input_gets_the_files(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(
        web.page(
            """<button>Choose</button><script>document.querySelector("button").onclick = () => {
              const input = Object.assign(document.createElement("input"), { type: "file" });
              input.onchange = event => { window.given = [event.isTrusted, input.files[0]]; };
              input.click();
            }</script>"""
        )
    )
    assert await tab.element("button").upload(letter) == ["letter.txt"]
    assert await tab.evaluate("given[1].text().then(text => [given[0], text])") == [True, "Dear Ada"]


ASKING = "<button onclick='file.click()'>Choose</button><input type=file id=file hidden>"


@pytest.mark.parametrize("site", ["url", "other_site"])
async def test_a_button_in_a_frame_gets_the_files(tab: Tab, web: Web, letter: Path, site: str) -> None:
    web.page(ASKING, "/inner")
    await tab.goto(web.page(f"""<iframe src="{getattr(web, site)}/inner"></iframe>"""))
    assert await tab.element("text=Choose").upload(letter) == ["letter.txt"]


async def test_a_click_in_a_frame_may_open_a_chooser_of_the_outer_page(
    tab: Tab, web: Web, letter: Path
) -> None:
    web.page("<button onclick='parent.postMessage(1, `*`)'>Choose</button>", "/inner")
    asks = (
        "<input type=file hidden><script>onmessage = () => document.querySelector('input').click()</script>"
    )
    await tab.goto(web.page(f"""{asks}<iframe src="{web.other_site}/inner"></iframe>"""))
    assert await tab.element("text=Choose").upload(letter) == ["letter.txt"]
    assert await tab.evaluate(READ) == [["letter.txt", "Dear Ada"]]


async def test_a_chooser_for_one_file_rejects_two(tab: Tab, web: Web, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.png", "b.png")]
    for file in files:
        file.write_bytes(b"png")
    await tab.goto(web.page(ASKING))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("button").upload(*files)
    assert str(refusal.value) == 'button "Choose" accepts one file, not 2. Give one.'
    await tab.goto(web.page(ASKING.replace("hidden", "hidden multiple accept=image/*")))
    assert await tab.element("button").upload(*files) == ["a.png", "b.png"]


async def test_a_button_that_opens_no_file_chooser_is_an_error(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<button>Choose</button><button onclick='confirm(`Sure?`)'>Ask</button>"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("text=Choose").upload(letter)
    assert str(refusal.value) == (
        'button "Choose" did not open a file chooser. '
        "Check what the click did, then choose the file input or the button that opens it."
    )
    with pytest.raises(Blocked, match=r'^The page shows a confirm dialog "Sure\?"\.'):
        await tab.element("text=Ask").upload(letter)


async def test_a_file_chooser_without_an_input_is_blocked(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<button onclick='showOpenFilePicker()'>Open</button>"))
    with pytest.raises(Blocked, match=r'^button "Open" opened a file chooser without a file input'):
        await tab.element("button").upload(letter)


async def test_file_choosers_are_no_longer_intercepted_after_any_outcome(
    tab: Tab, web: Web, letter: Path
) -> None:
    opened = list[object]()
    tab.session.on("Page.fileChooserOpened", opened.append)
    await tab.goto(web.page(f"<button>Nothing</button>{ASKING}"))
    with pytest.raises(InvalidArgs, match="did not open a file chooser"):
        await tab.element("text=Nothing").upload(letter)
    await tab.element("text=Choose").click()
    assert opened == []
    await tab.element("text=Choose").upload(letter)
    assert len(opened) == 1
    await tab.element("text=Choose").click()
    await tab.evaluate("1")
    assert len(opened) == 1


async def test_a_disabled_file_input_is_blocked(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<input type=file disabled>"))
    with pytest.raises(Blocked, match=r"is disabled\."):
        await tab.element("input").upload(letter, timeout=0)
