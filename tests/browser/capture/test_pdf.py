"""Printing to PDF in real Chromium."""

import re

import pytest

from tabwright.browser.capture.pdf import Margins, PdfOptions, print_pdf
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, TimedOut
from tests.web import Web

THREE_PAGES = "".join(f"<div style='break-after:page'>page {n}</div>" for n in (1, 2)) + "<div>page 3</div>"


def pages(pdf: bytes) -> int:
    assert pdf.startswith(b"%PDF-")
    assert pdf.rstrip().endswith(b"%%EOF")
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


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
    ("options", "count", "size"),
    [
        (PdfOptions(paper="Letter"), 3, (8.5, 11.0)),
        (PdfOptions(paper="a5", landscape=True), 3, (8.3, 5.8)),
        (PdfOptions(paper=(4, 6), margins=Margins(0, 0, 0, 0), background=False), 3, (4.0, 6.0)),
        (PdfOptions(ranges="1, 3-"), 2, (8.3, 11.7)),
        (PdfOptions(ranges="-2", scale=0.5), 2, (8.3, 11.7)),
        (PdfOptions(header="<b class=title></b>", footer="<b class=pageNumber></b>"), 3, (8.3, 11.7)),
    ],
)
async def test_paper_margins_ranges_and_headers_are_applied(
    tab: Tab, web: Web, options: PdfOptions, count: int, size: tuple[float, float]
) -> None:
    await tab.goto(web.page(THREE_PAGES))
    pdf = await print_pdf(tab, options)
    assert (pages(pdf), paper(pdf)) == (count, size)


async def test_css_page_size_can_be_preferred(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<style>@page { size: 5in 7in }</style>x"))
    assert paper(await print_pdf(tab, PdfOptions(prefer_css_size=True))) == (5.0, 7.0)


async def test_a_large_pdf_is_read_in_chunks(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("""<canvas id=c width=1500 height=1500></canvas><script>
        const context = c.getContext('2d'), image = context.createImageData(1500, 1500);
        for (let i = 0; i < image.data.length; i++) image.data[i] = Math.random() * 256;
        context.putImageData(image, 0, 0);</script>""")
    )
    pdf = await print_pdf(tab)
    assert len(pdf) > 1_000_000
    assert pages(pdf) == 1


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (PdfOptions(paper="a44"), "Unknown paper size 'a44'."),
        (PdfOptions(paper=(0, 5)), "Invalid paper width 0."),
        (PdfOptions(scale=3), "Invalid scale 3."),
        (PdfOptions(margins=Margins(top=-1)), "Invalid top margin -1."),
        (PdfOptions(margins=Margins(left=float("nan"))), "Invalid left margin nan."),
        (PdfOptions(ranges="one"), "Invalid page range 'one'."),
        (PdfOptions(ranges="3-1"), "Invalid page range '3-1'."),
        (PdfOptions(ranges="1,,2"), "Invalid page range ''."),
        (PdfOptions(ranges="0"), "Invalid page range '0'."),
        (PdfOptions(ranges="9-12"), "Chrome refused the print options: Page range exceeds page count."),
    ],
)
async def test_invalid_print_options_are_refused(
    tab: Tab, web: Web, options: PdfOptions, message: str
) -> None:
    await tab.goto(web.page(THREE_PAGES))
    with pytest.raises(InvalidArgs) as failure:
        await print_pdf(tab, options)
    assert failure.value.message == message


async def test_margins_that_leave_nothing_are_refused(tab: Tab) -> None:
    with pytest.raises(InvalidArgs) as failure:
        await print_pdf(tab, PdfOptions(margins=Margins(6, 5, 6, 5)))
    assert str(failure.value) == (
        "Chrome refused the print options: invalid print parameters: content area is empty. "
        "Check page ranges, paper and margins."
    )


async def test_an_open_dialog_and_a_timeout_are_reported(tab: Tab) -> None:
    with pytest.raises(TimedOut) as late:
        await print_pdf(tab, timeout=0.000_001)
    assert late.value.message == "The page was not printed within 1e-06 s."
    await tab.evaluate("void setTimeout(() => alert('stop'))")
    await tab.changed.until(lambda: tab.dialogs.open is not None)
    with pytest.raises(Blocked, match='alert dialog "stop"'):
        await print_pdf(tab)
