"""Printing to PDF in real Chromium."""

import re
from pathlib import Path

import pytest

from tabwright.browser.capture.pdf import Margins, Print, print_pdf, save_pdf
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, TimedOut
from tests.web import Web

THREE_PAGES = "".join(f"<div style='break-after:page'>page {n}</div>" for n in (1, 2)) + "<div>page 3</div>"


def pages(pdf: bytes) -> int:
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def paper(pdf: bytes) -> tuple[float, float]:
    box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    assert box is not None
    return round(float(box[1]) / 72, 1), round(float(box[2]) / 72, 1)


async def test_a_page_is_printed_on_a4(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(THREE_PAGES))
    pdf = await print_pdf(tab)
    assert (pages(pdf), paper(pdf)) == (3, (8.3, 11.7))


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("how", "count", "size"),
    [
        (Print(paper="Letter"), 3, (8.5, 11.0)),
        (Print(paper="a5", landscape=True), 3, (8.3, 5.8)),
        (Print(paper=(4, 6), margins=Margins(0, 0, 0, 0), background=False), 3, (4.0, 6.0)),
        (Print(ranges="1, 3-"), 2, (8.3, 11.7)),
        (Print(ranges="-2", scale=0.5), 2, (8.3, 11.7)),
        (Print(header="<b class=title></b>", footer="<b class=pageNumber></b>"), 3, (8.3, 11.7)),
    ],
)
async def test_paper_margins_ranges_and_headers_are_followed(
    tab: Tab, web: Web, how: Print, count: int, size: tuple[float, float]
) -> None:
    await tab.goto(web.page(THREE_PAGES))
    pdf = await print_pdf(tab, how)
    assert (pages(pdf), paper(pdf)) == (count, size)


async def test_the_size_that_a_page_asks_for_may_be_preferred(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<style>@page { size: 5in 7in }</style>x"))
    assert paper(await print_pdf(tab, Print(prefer_css_size=True))) == (5.0, 7.0)


async def test_a_large_pdf_is_written_to_a_file_in_pieces(tab: Tab, web: Web, tmp_path: Path) -> None:
    await tab.goto(
        web.page("""<canvas id=c width=1500 height=1500></canvas><script>
        const context = c.getContext('2d'), image = context.createImageData(1500, 1500);
        for (let i = 0; i < image.data.length; i++) image.data[i] = Math.random() * 256;
        context.putImageData(image, 0, 0);</script>""")
    )
    path = tmp_path / "out.pdf"
    path.write_text("old")
    size = await save_pdf(tab, path)
    assert size > 1_000_000
    assert (path.stat().st_size, pages(path.read_bytes())) == (size, 1)
    assert files(tmp_path) == ["out.pdf"]


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("how", "message"),
    [
        (Print(paper="a44"), "There is no paper 'a44'."),
        (Print(paper=(0, 5)), "A paper width of 0 is not possible."),
        (Print(scale=3), "A scale of 3 is not possible."),
        (Print(margins=Margins(top=-1)), "A top margin of -1 is not possible."),
        (Print(margins=Margins(left=float("nan"))), "A left margin of nan is not possible."),
        (Print(ranges="one"), "'one' is no range of pages."),
        (Print(ranges="3-1"), "'3-1' is no range of pages."),
        (Print(ranges="1,,2"), "'' is no range of pages."),
        (Print(ranges="0"), "'0' is no range of pages."),
        (Print(ranges="9-12"), "The page cannot be printed so: Page range exceeds page count."),
    ],
)
async def test_what_cannot_be_printed_is_refused_and_no_file_is_left(
    tab: Tab, web: Web, tmp_path: Path, how: Print, message: str
) -> None:
    await tab.goto(web.page(THREE_PAGES))
    with pytest.raises(InvalidArgs) as failure:
        await save_pdf(tab, tmp_path / "out.pdf", how)
    assert failure.value.message == message
    assert files(tmp_path) == []


async def test_margins_that_leave_nothing_are_refused(tab: Tab) -> None:
    with pytest.raises(InvalidArgs) as failure:
        await print_pdf(tab, Print(margins=Margins(6, 5, 6, 5)))
    assert str(failure.value) == (
        "The page cannot be printed so: invalid print parameters: content area is empty. "
        "Check page ranges, paper and margins."
    )


async def test_an_open_dialog_and_a_deadline_say_why_nothing_is_printed(tab: Tab) -> None:
    with pytest.raises(TimedOut) as late:
        await print_pdf(tab, timeout=0.000_001)
    assert late.value.message == "The page was not printed in 1e-06 s."
    await tab.evaluate("void setTimeout(() => alert('stop'))")
    await tab.changed.until(lambda: tab.dialogs.open is not None)
    with pytest.raises(Blocked, match='alert dialog "stop"'):
        await print_pdf(tab)
