"""Giving files to file inputs, in real Chromium."""

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


async def test_an_upload_is_told_to_the_page_as_a_change(tab: Tab, web: Web, letter: Path) -> None:
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


async def test_several_files_where_several_are_taken(tab: Tab, web: Web, tmp_path: Path) -> None:
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


async def test_what_does_not_fit_is_refused(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<input type=file accept='image/*' aria-label=Photo><input id=text>"))
    photo = tab.element("label=Photo")
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter)
    assert str(refusal.value) == 'button "Photo" does not take letter.txt. It accepts image/*.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter, letter)
    assert str(refusal.value) == 'button "Photo" takes one file only; 2 were given. Give one.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload(letter.parent)
    assert str(refusal.value) == f'{letter.parent} is not a file. button "Photo" takes a file.'
    with pytest.raises(InvalidArgs) as refusal:
        await photo.upload("/no/such/file.png")
    assert str(refusal.value) == (
        "There is no file /no/such/file.png. Give the path of a file on this computer."
    )
    with pytest.raises(InvalidArgs, match=r"^textbox is not a control that takes a value\."):
        await tab.element("#text").upload(letter)


async def test_a_disabled_input_takes_no_file(tab: Tab, web: Web, letter: Path) -> None:
    await tab.goto(web.page("<input type=file disabled>"))
    with pytest.raises(Blocked, match=r"is disabled\."):
        await tab.element("input").upload(letter, timeout=0)
