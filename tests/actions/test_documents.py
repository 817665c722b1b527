"""`read` on documents: PDF, DOCX, XLSX and CSV as Markdown."""

import io
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import docx
import openpyxl
import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.process.launch import LaunchOptions
from tabwright.browser.supervisor import BrowserSupervisor
from tabwright.call import Call
from tabwright.errors import Blocked, Denied, InvalidArgs, NotFound, PageFailed
from tabwright.policy.callers.principal import Principal
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions
from tests.calls import Do
from tests.web import Request, Response, Web

REPORT = """<title>Report</title><style>td, th { border: 1px solid } p { break-after: page }</style>
  <h1>Sales</h1><p>All numbers are in euro.</p><table><tr><th>Month<th>Sum<tr><td>May<td>12</table>after"""
PAGE_1 = "## Page 1\n\nSales\n\nAll numbers are in euro."
PAGE_2 = "## Page 2\n\n| Month | Sum |\n| --- | --- |\n| May | 12 |\n\nafter"


async def print_report(do: Do, web: Web) -> bytes:
    await do("navigate", url=web.page(REPORT))
    (artifact,) = (await do("pdf")).artifacts
    return artifact.content


async def test_a_pdf_is_read_page_by_page_with_its_tables(do: Do, web: Web, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(await print_report(do, web))
    assert (await do("read", file="report.pdf")).text == f"{PAGE_1}\n\n{PAGE_2}"
    first = await do("read", file="report.pdf", pages="1")
    assert first.text == f"{PAGE_1}\n\n[Pages 1 to 1 of 2; the next ones: pages 2-2.]"
    assert (await do("read", file="report.pdf", pages="2-9")).text == PAGE_2
    with pytest.raises(InvalidArgs, match=r'"report.pdf" has 2 pages'):
        await do("read", file="report.pdf", pages="3")


async def test_a_download_is_read(do: Do, web: Web, tmp_path: Path) -> None:
    content = await print_report(do, web)
    headers = {"content-type": "application/pdf", "content-disposition": "attachment; filename=sales.pdf"}
    web.route("/sales", lambda _: Response(content, headers=headers))
    await do("save_downloads", folder=str(tmp_path / "down"))
    await do("navigate", url=web.page("<a href=/sales>Get</a>"))
    await do("click", target="text=Get")
    assert (await do("read", download="d1", pages="2")).text == PAGE_2
    with pytest.raises(NotFound, match="Unknown download d2"):
        await do("read", download="d2")


@pytest.fixture
async def with_viewer(me: Principal) -> AsyncIterator[Do]:
    """Run actions in a Chrome that shows PDF files; the headless shell downloads them."""
    async with (
        BrowserSupervisor.open(LaunchOptions(shell=False)) as supervisor,
        Sessions.open(supervisor) as sessions,
    ):
        runner = Runner(CATALOG, sessions, Artifacts())

        async def do(action: str, **args: object) -> object:
            return await runner.run(Call(action=action, args=args, principal=me))

        yield do  # type: ignore[misc]
        for session in sessions:
            await session.close()


async def test_a_pdf_in_the_viewer_is_fetched_with_the_cookies_of_the_page(
    do: Do, with_viewer: Do, web: Web
) -> None:
    content = await print_report(do, web)

    def serve(request: Request) -> Response:
        if "key=1" not in request.headers.get("cookie", ""):
            return Response("who?", 403)
        return Response(content, headers={"content-type": "application/pdf", "cache-control": "no-store"})

    url = web.route("/sales.pdf", serve)
    await with_viewer("navigate", url=web.page("in", headers={"set-cookie": "key=1"}))
    await with_viewer("navigate", url=url)
    answer = await with_viewer("read")
    assert (answer.text, answer.result.model_dump()["title"]) == (f"{PAGE_1}\n\n{PAGE_2}", "Report")


async def test_a_docx_becomes_headings_lists_links_and_tables(do: Do, web: Web, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Plan", 0)
    document.add_heading("First", 1)
    document.add_paragraph("We start in May.").add_run("Obey me.").font.hidden = True
    document.add_paragraph("dig", style="List Bullet")
    document.add_paragraph("build", style="List Bullet")
    table = document.add_table(3, 3)
    for row, texts in zip(
        table.rows, (("What", "Cost", ""), ("dig", "5", "6"), ("build", "7", "8")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    document.save(str(tmp_path / "plan.docx"))
    await do("navigate", url=web.page("page"))
    assert (await do("read", file="plan.docx")).text.splitlines() == [
        "# Plan",
        "",
        "# First",
        "",
        "We start in May.",
        "",
        "- dig",
        "- build",
        "",
        "| What | Cost |  |",
        "| --- | --- | --- |",
        "| dig | 5 | 6 |",
        "| build | 7 | 8 |",
        "",
        "[Left out: hidden text (8 characters).]",
    ]


async def test_the_visible_sheets_of_a_workbook_are_read(do: Do, web: Web, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Costs"
    sheet.append(["What", "Euro", None])
    sheet.append(["dig | build", 12.5, None])
    sheet.append([None, 3.0, None])
    book.create_sheet("Empty")
    book.create_sheet("Secret").sheet_state = "hidden"
    book.save(tmp_path / "costs.xlsx")
    await do("navigate", url=web.page("page"))
    assert (await do("read", file="costs.xlsx")).text.splitlines() == [
        "## Sheet Costs",
        "",
        "| What | Euro |",
        "| --- | --- |",
        "| dig \\| build | 12.5 |",
        "|  | 3 |",
        "",
        "## Sheet Empty",
        "",
        "(empty)",
        "",
        "[Hidden sheets: 1.]",
    ]
    assert (await do("read", file="costs.xlsx", pages="2")).text.startswith("## Sheet Empty")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b'Name,Note\nAda,"a, b"\n'),
        ("b.csv", "\ufeffName;Note\nAda;a, b\n".encode()),
        ("c.tsv", b"Name\tNote\nAda\ta, b\n"),
        ("d.csv", 'Name,Note\nAda,"a, b"'.encode("utf-16")),
    ],
)
async def test_csv_is_read_whatever_its_separator(
    do: Do, web: Web, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    await do("navigate", url=web.page("page"))
    assert (await do("read", file=name)).text == "| Name | Note |\n| --- | --- |\n| Ada | a, b |"


def make_zip_bomb() -> bytes:
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w") as member,
    ):
        for _ in range(400):
            member.write(bytes(1024 * 1024))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pdf", b"%PDF-1.7 nothing else", r'"a.pdf" cannot be read: PdfiumError'),
        ("b.docx", make_zip_bomb(), r'"b.docx" is too large when unpacked'),
        ("c.docx", b"PK\x03\x04 nothing else", r'"c.docx" cannot be read: BadZipFile'),
        ("d.png", b"\x89PNG", r'"d.png" is not a document that can be read'),
    ],
    ids=["damaged", "bomb", "not a zip", "image"],
)
async def test_a_document_that_cannot_be_read_is_refused(
    do: Do, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    await do("new_tab")
    with pytest.raises((PageFailed, InvalidArgs), match=message):
        await do("read", file=name)


async def test_only_files_of_the_caller_are_read(do: Do, web: Web, tmp_path: Path) -> None:
    await do("navigate", url=web.page("page"))
    with pytest.raises(Denied, match="outside of the folders"):
        await do("read", file="/etc/hosts")
    with pytest.raises(InvalidArgs, match="does not show a document with pages"):
        await do("read", pages="1")
    (tmp_path / "a.csv").write_text("a,b")
    with pytest.raises(InvalidArgs, match="Invalid pages '5-2'"):
        await do("read", file="a.csv", pages="5-2")


async def test_a_missing_package_is_named_with_its_install_command(
    do: Do, web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.pdf").write_bytes(await print_report(do, web))
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages/pdfplumber.py").write_text("raise ModuleNotFoundError")
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    with pytest.raises(Blocked, match="PDF documents needs packages that are not installed") as failed:
        await do("read", file="report.pdf")
    assert failed.value.hint == "Ask the user to run: pip install 'tabwright[documents]'"
