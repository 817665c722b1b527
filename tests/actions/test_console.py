"""The console: the messages of the page, and of the pages before it on request."""

import pytest

from tests.calls import Do
from tests.web import Web

NO_ICON = "<link rel=icon href='data:,'>"


def page(web: Web, script: str) -> str:
    return web.page(f"{NO_ICON}<script>{script}</script>")


async def test_the_console_is_that_of_the_page(do: Do, web: Web) -> None:
    first, second = page(web, "console.log('one')"), page(web, "console.log('two')")
    await do("navigate", url=first)
    assert (await do("console_messages")).text == f"1. log: one ({first}:1)"
    await do("navigate", url=second)
    assert (await do("console_messages")).text == (
        f"2. log: two ({second}:1)\nEarlier pages: 1 message, shown with all_pages."
    )
    assert (await do("console_messages", all_pages=True)).text == (
        f"{first}:\n  1. log: one ({first}:1)\n{second}:\n  2. log: two ({second}:1)"
    )


async def test_a_page_without_messages_mentions_those_before_it(do: Do, web: Web) -> None:
    await do("navigate", url=page(web, "console.error('a'); console.error('b'); console.log('c')"))
    await do("navigate", url=page(web, ""))
    assert (await do("console_messages", kind="error")).text == (
        "The console of this page is empty.\nEarlier pages: 2 messages, shown with all_pages."
    )
    assert (await do("clear_console")).text == "The console is empty."
    assert (await do("console_messages")).text == "The console is empty."


async def test_a_reload_is_a_new_page_and_a_fragment_is_not(do: Do, web: Web) -> None:
    url = page(web, "console.log('here')")
    await do("navigate", url=url)
    await do("navigate", url=f"{url}#part")
    assert (await do("console_messages")).text == f"1. log: here ({url}:1)"
    await do("reload")
    assert (await do("console_messages")).text == (
        f"2. log: here ({url}:1)\nEarlier pages: 1 message, shown with all_pages."
    )
    assert (await do("console_messages", all_pages=True)).text == (
        f"{url}:\n  1. log: here ({url}:1)\n{url}#part:\n  2. log: here ({url}:1)"
    )


async def test_messages_after_a_number_are_of_all_pages(do: Do, web: Web) -> None:
    first = page(web, "console.log('a'); console.log('b')")
    second = page(web, "console.log('c')")
    await do("navigate", url=first)
    await do("navigate", url=second)
    assert (await do("console_messages", since=1)).text == (f"2. log: b ({first}:1)\n3. log: c ({second}:1)")


async def test_frames_and_workers_belong_to_the_page(do: Do, web: Web) -> None:
    web.page("<script>console.log('inside')</script>", "/inside")
    worker = "new Worker(URL.createObjectURL(new Blob(['console.log(`working`); postMessage(1)'])))"
    await do("navigate", url=page(web, "console.log('before')"))
    await do(
        "navigate",
        url=web.page(
            f"""{NO_ICON}<iframe src={web.other_site}/inside></iframe>
            <script>{worker}.onmessage = () => document.body.append('done')</script>"""
        ),
    )
    await do("wait_for_text", text="done")
    lines = (await do("console_messages")).text.splitlines()
    assert sorted(line.split(" ")[2] for line in lines[:-1]) == ["inside", "working"]
    assert lines[-1] == "Earlier pages: 1 message, shown with all_pages."


async def test_errors_of_the_document_itself_are_those_of_the_new_page(do: Do, web: Web) -> None:
    await do("navigate", url=page(web, ""))
    url = web.page(f"{NO_ICON}gone", status=404)
    await do("navigate", url=url)
    assert (await do("console_messages")).text == (
        f"1. error: Failed to load resource: the server responded with a status of 404 (Not Found) ({url})"
    )


@pytest.mark.parametrize("event", ["pagehide", "visibilitychange"])
async def test_the_last_words_of_a_page_are_its_own(do: Do, web: Web, event: str) -> None:
    first = page(
        web,
        f"document.addEventListener('{event}', () => console.log('bye')); "
        f"addEventListener('{event}', () => console.log('bye'))",
    )
    await do("navigate", url=first)
    await do("navigate", url=page(web, ""))
    assert "bye" not in (await do("console_messages")).text


async def test_each_tab_has_its_own_pages(do: Do, web: Web) -> None:
    first, second = page(web, "console.log('one')"), page(web, "console.log('two')")
    await do("navigate", url=first)
    await do("new_tab", url=second)
    assert (await do("console_messages")).text == f"1. log: two ({second}:1)"
