"""Dropping files and text onto elements, as from another window."""

from pathlib import Path

import pytest

from tabwright.errors import Blocked, Denied, InvalidArgs
from tests.calls import Do
from tests.web import Web

ZONE = """
<style>#zone { width: 200px; height: 80px; border: 1px dashed }</style>
<div id=zone>Drop files here<input type=file multiple hidden></div><p id=out></p>
<script>
  const seen = [];
  for (const type of ["dragenter", "dragover", "drop"])
    zone.addEventListener(type, event => {
      event.preventDefault();
      seen.push(`${type} ${event.isTrusted} ${[...event.dataTransfer.types]}`);
    });
  zone.addEventListener("drop", async event => {
    const files = [...event.dataTransfer.files];
    const texts = await Promise.all(files.map(file => file.text()));
    out.textContent = files.map((file, at) => `${file.name} ${file.type} ${texts[at]}`).join("; ");
  });
</script>"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two files in the caller's folder."""
    (tmp_path / "a.txt").write_text("first")
    (tmp_path / "b.csv").write_text("1,2")
    return ["a.txt", "b.csv"]


async def test_files_are_dropped_on_an_element_that_listens(do: Do, web: Web, files: list[str]) -> None:
    await do("navigate", url=web.page(ZONE))
    answer = await do("drop_files", target="#zone", paths=files)
    assert answer.text.splitlines()[0] == 'Dropped a.txt, b.csv on div "Drop files here".'
    assert (await do("get_text", target="#out")).text == "a.txt text/plain first; b.csv text/csv 1,2"
    kinds = (await do("evaluate", script="[...new Set(seen)]")).text
    assert kinds == '["dragenter true Files","dragover true Files","drop true Files"]'


async def test_files_are_dropped_on_a_place_that_appears_during_the_drag(
    do: Do, web: Web, files: list[str]
) -> None:
    await do(
        "navigate",
        url=web.page(
            """<main style="height: 300px">Inbox</main><p id=out></p>
            <div id=over style="display: none; position: fixed; inset: 0; background: white">Drop it</div>
            <script>
              document.ondragenter = () => { over.style.display = 'block' };
              over.ondragover = event => event.preventDefault();
              over.ondrop = event => {
                event.preventDefault();
                over.style.display = 'none';
                out.textContent = event.dataTransfer.files[0].name;
              };
            </script>"""
        ),
    )
    await do("drop_files", target="main", paths=files[:1])
    assert (await do("get_text", target="#out")).text == "a.txt"


async def test_files_are_dropped_on_a_file_input(do: Do, web: Web, files: list[str]) -> None:
    await do(
        "navigate",
        url=web.page(
            """<label>Reports <input type=file multiple></label><p id=out></p><script>
            document.querySelector('input').onchange = event =>
                out.textContent = [...event.target.files].map(file => file.name)</script>"""
        ),
    )
    answer = await do("drop_files", target="input", paths=files)
    assert answer.text.splitlines()[0] == 'Dropped a.txt, b.csv on button "Reports".'
    assert (await do("get_text", target="#out")).text == "a.txt,b.csv"


async def test_an_input_for_one_file_does_not_take_two(do: Do, web: Web, files: list[str]) -> None:
    await do("navigate", url=web.page("<label>Report <input type=file></label>"))
    with pytest.raises(Blocked) as caught:
        await do("drop_files", target="input", paths=files)
    assert caught.value.message == 'button "Report" does not accept the drop.'


async def test_files_are_dropped_in_a_frame_of_another_site(do: Do, web: Web, files: list[str]) -> None:
    web.page(ZONE, "/inner")
    await do("navigate", url=web.page(f"<h1>Outer</h1><iframe src={web.other_site}/inner></iframe>"))
    await do("drop_files", target="#zone", paths=files)
    assert (await do("get_text", target="#out")).text == "a.txt text/plain first; b.csv text/csv 1,2"


async def test_an_element_that_does_not_listen_is_an_error(do: Do, web: Web, files: list[str]) -> None:
    url = web.page("<h1>Plain</h1>")
    await do("navigate", url=url)
    with pytest.raises(Blocked) as caught:
        await do("drop_files", target="h1", paths=files)
    assert caught.value.message == 'heading "Plain" does not accept the drop.'
    assert (await do("get_page")).text.startswith(url)


async def test_only_files_of_the_callers_folder_are_dropped(do: Do, web: Web, tmp_path: Path) -> None:
    await do("navigate", url=web.page(ZONE))
    with pytest.raises(Denied):
        await do("drop_files", target="#zone", paths=["/etc/passwd"])
    (tmp_path / "folder").mkdir()
    for wrong in ("folder", "missing.txt"):
        with pytest.raises(InvalidArgs):
            await do("drop_files", target="#zone", paths=[wrong])
    assert (await do("evaluate", script="seen.length")).text == "0"


@pytest.mark.parametrize(
    ("mime_type", "text"),
    [
        ("text/plain", "some words"),
        ("text/html", "<b>bold</b>"),
        ("text/uri-list", "https://example.com/"),
        ("application/x-card", '{"id":7}'),
    ],
)
async def test_text_of_any_type_is_dropped(do: Do, web: Web, mime_type: str, text: str) -> None:
    await do(
        "navigate",
        url=web.page(
            """<div id=zone style="height: 80px">Cards</div><script>
            zone.ondragover = event => event.preventDefault();
            zone.ondrop = event => {
              event.preventDefault();
              const { dataTransfer } = event;
              zone.title = JSON.stringify(dataTransfer.types.map(type => [type, dataTransfer.getData(type)]));
            };
            </script>"""
        ),
    )
    answer = await do("drop_text", target="#zone", text=text, mime_type=mime_type)
    assert answer.text.splitlines()[0] == 'Dropped the text on div "Cards".'
    script = "JSON.parse(zone.title).find(([type]) => type === args[0])[1]"
    assert (await do("evaluate", script=script, args=[mime_type])).text == text


async def test_text_is_dropped_into_a_text_field(do: Do, web: Web) -> None:
    await do("navigate", url=web.page("<label>Note <textarea></textarea></label>"))
    await do("drop_text", target="textarea", text="some words")
    assert (await do("get_value", target="textarea")).text == "some words"
