"""What is found on pages of a document: its other pages, its contents and its sections."""

import pytest

from tests.calls import Do
from tests.web import Web

TEXT = "<p>A paragraph that says something about the sea, and then a little more about it.</p>" * 30


async def list_tools(do: Do, url: str) -> list[str]:
    """Return the listing of a page, without its first line."""
    await do("navigate", url=url)
    return str((await do("list_page_tools")).result).splitlines()[1:]


async def title(do: Do) -> object:
    value: object = (await do("evaluate", script="document.title")).result.model_dump()["value"]
    return value


@pytest.mark.parametrize(
    "links",
    [
        '<ul><li><a accesskey=p href="{0}?1"><b>Prev</b></a></li><li><a accesskey=n href="{0}?3"><b>Next</b></a></li></ul>',
        '<div><a href="{0}?3"><img alt=next></a> <a href="{0}?1"><img alt=previous></a></div>',
        '<p>[<a href="{0}?1">Previous chapter</a>] [<a href="{0}?3">Next chapter</a>]</p>',
        '<p><a href="{0}?3">next</a> | <a href="{0}?1">previous</a></p>',
    ],
)
async def test_links_to_the_next_and_previous_page_of_a_document_are_tools(
    do: Do, web: Web, links: str
) -> None:
    other = web.page("<title>other</title>")
    assert await list_tools(do, web.page(links.format(other))) == [
        "next_page() — Go to the next page.",
        "previous_page() — Go to the previous page.",
    ]
    await do("call_page_tool", name="next_page")
    assert await title(do) == "other"


async def test_a_declared_next_page_is_a_tool_without_a_visible_link(do: Do, web: Web) -> None:
    other = web.page("<title>other</title>")
    assert await list_tools(do, web.page(f'<head><link rel=next href="{other}"></head><p>One.</p>')) == [
        "next_page() — Go to the next page."
    ]
    answer = await do("call_page_tool", name="next_page")
    assert answer.text.startswith("Went to the address that the page declares.")
    assert await title(do) == "other"


async def test_the_buttons_of_a_slide_show_are_not_pages(do: Do, web: Web) -> None:
    page = '<div><a href="#s1">Previous</a><img alt=Sea><a href="#s3">Next</a></div>'
    assert await list_tools(do, web.page(page)) == []


async def test_the_index_and_the_parent_of_a_document_are_tools(do: Do, web: Web) -> None:
    other = web.page("<title>other</title>")
    links = "".join(f'<a href="{other}">{label}</a> ' for label in ("Next", "Previous", "Up", "Index"))
    assert [line.partition("(")[0] for line in await list_tools(do, web.page(f"<div>{links}</div>"))] == [
        "next_page",
        "previous_page",
        "go_up",
        "open_index",
    ]


async def test_a_table_of_contents_with_levels_is_one_tool(do: Do, web: Web) -> None:
    page = f"""<nav><ul><li><a href="#a">Harbours</a><ul><li><a href="#b">North</a></li><li><a href="#c">South</a></li></ul></li>
      <li><a href="#d">Ships</a></li></ul></nav><h2 id=a>Harbours</h2>{TEXT}<h3 id=b>North</h3>{TEXT}
      <h3 id=c>South</h3>{TEXT}<h2 id=d>Ships</h2>{TEXT}"""
    assert await list_tools(do, web.page(page)) == [
        (
            "go_to_section(index: integer 0..3) — Go to one of 4 sections of this page; 0 is the first. "
            "From the page: “Harbours, North, South, …”"
        )
    ]
    await do("call_page_tool", name="go_to_section", arguments={"index": 3})
    place = await do("evaluate", script="location.hash")
    assert place.result.model_dump()["value"] == "#d"


async def test_the_headings_of_a_long_text_without_contents_are_sections(do: Do, web: Web) -> None:
    parts = "".join(f"<h2>Part {number} <a href='#'>¶</a></h2>{TEXT}" for number in "ABCDE")
    assert await list_tools(do, web.page(parts)) == [
        (
            "go_to_section(index: integer 0..4) — Scroll to one of 5 headings of this page; 0 is the first. "
            "From the page: “Part A, Part B, Part C, …”"
        )
    ]
    await do("call_page_tool", name="go_to_section", arguments={"index": 4})
    seen = await do(
        "evaluate", script="document.querySelectorAll('h2')[4].getBoundingClientRect().top < innerHeight"
    )
    assert seen.result.model_dump()["value"] is True


async def test_a_sidebar_marked_as_hidden_but_in_plain_sight_lists_the_chapters(do: Do, web: Web) -> None:
    chapters = "".join(f'<li><a tabindex=-1 href="/{name}">Chapter {name}</a></li>' for name in "ABCDEF")
    page = f'<nav aria-label="Table of contents" aria-hidden=true><ol>{chapters}</ol></nav><p>Text.</p>'
    assert await list_tools(do, web.page(page)) == [
        (
            "open_chapter(index: integer 0..5) — Open one of 6 parts of this document; 0 is the first. "
            "From the page: “Chapter A, Chapter B, Chapter C, …”"
        )
    ]


async def test_what_a_dialog_covers_and_marks_as_hidden_is_not_offered(do: Do, web: Web) -> None:
    links = "".join(f'<li><a href="/{name}">Chapter {name}</a></li>' for name in "ABCDEF")
    page = f"""<div aria-hidden=true><nav aria-label="Contents"><ol>{links}</ol></nav></div>
      <div style="position:fixed;inset:0;background:#0008"></div>
      <div role=dialog style="position:fixed;top:9px">Sure? <button>Keep it</button></div>"""
    assert await list_tools(do, web.page(page)) == ["keep_it() — Press a button. From the page: “Keep it”"]
