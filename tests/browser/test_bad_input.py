"""Invalid input gets a clear error, never a hang and never a raw exception."""

from collections.abc import AsyncIterator
from typing import Any

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.page.navigation import Navigated
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs, NotFound, PageFailed, TabwrightError, TimedOut
from tests.web import Response, Web


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "no address",
        "http://",
        "http://[::1",
        "http://x\ny/",
        "\0",
        "http://\ud83d/",
        "://x",
    ],
)
async def test_an_invalid_url_is_rejected(tab: Tab, url: str) -> None:
    with anyio.fail_after(60), pytest.raises(InvalidArgs):
        await tab.goto(url)
    assert await tab.evaluate("1") == 1


@pytest.mark.parametrize(
    "url", ["http://a.invalid/", "http://a b/", "http://127.0.0.1:1/", "nonsense:x", "http://999.1.1.1/"]
)
async def test_an_unreachable_url_is_reported(tab: Tab, url: str) -> None:
    with anyio.fail_after(60), pytest.raises(TabwrightError):
        await tab.goto(url, timeout=20)
    assert await tab.evaluate("1") == 1


async def test_a_url_of_two_megabytes_fails_and_the_tab_stays_usable(tab: Tab, web: Web) -> None:
    with anyio.fail_after(60):
        with pytest.raises(TabwrightError):
            await tab.goto(f"{web.url}/{'x' * 2_100_000}", timeout=20)
        url = web.page("fine")
        assert await tab.goto(url) == Navigated(url, 200, "OK")


@pytest.mark.parametrize("script", ["", " ", "\n\t"])
async def test_an_empty_script_is_rejected(tab: Tab, script: str) -> None:
    with pytest.raises(InvalidArgs) as refused:
        await tab.evaluate(script)
    assert refused.value.message == "The script is empty."


async def test_a_script_with_half_a_surrogate_pair_is_rejected(tab: Tab) -> None:
    with pytest.raises(InvalidArgs, match="cannot be sent"):
        await tab.evaluate("'\ud83d'")


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "value",
    [
        object(),
        float("nan"),
        [float("inf")],
        "\ud83d",
        {"a": {1, 2}},
        b"bytes",
        2**80,
        {("a",): 1},
        nested(5000),
    ],
    ids=["object", "nan", "infinity", "lone surrogate", "set", "bytes", "large", "key", "deep"],
)
async def test_an_argument_that_json_cannot_encode_is_rejected(tab: Tab, value: object) -> None:
    with pytest.raises(InvalidArgs):
        await tab.evaluate("args", value)


async def test_a_script_takes_and_returns_ten_megabytes(tab: Tab) -> None:
    text = "x" * 9_000_000
    with anyio.fail_after(60):
        assert await tab.evaluate("args[0].length", text) == len(text)
        assert await tab.evaluate("args[0]", text) == text


async def test_unknown_and_closed_tabs_have_different_errors(context: Context, tab: Tab) -> None:
    with pytest.raises(NotFound, match="There is no tab nonsense"):
        context.tab("nonsense")
    await tab.close()
    with pytest.raises(NotFound, match=f"There is no tab {tab.id}; open tabs: none"):
        context.tab(tab.id)
    with pytest.raises(NotFound, match=f"Tab {tab.id} is closed"):
        await tab.evaluate("1")


@pytest.mark.parametrize("timeout", [0, -1, 0.001])
async def test_a_timeout_that_is_too_short_fails_and_the_tab_stays_usable(
    tab: Tab, web: Web, timeout: float
) -> None:
    with anyio.fail_after(60):
        with pytest.raises(TimedOut):
            await tab.evaluate("new Promise(() => {})", timeout=timeout)
        assert await tab.evaluate("1") == 1


async def test_an_endless_response_times_out_and_reports_its_progress(tab: Tab, web: Web) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b"<!doctype html><title>endless</title><p>begin"
        await anyio.sleep_forever()

    url = web.route("/endless", lambda _: Response(endless()))
    with anyio.fail_after(60):
        with pytest.raises(TimedOut) as late:
            await tab.goto(url, timeout=2)
        assert late.value.message == (
            f"The page did not reach load in 2 s: the document of {url} is still being received."
        )
        assert await tab.title() == "endless"
        fine = web.page("fine")
        assert await tab.goto(fine) == Navigated(fine, 200, "OK")


async def test_a_response_that_never_starts_times_out(tab: Tab, web: Web) -> None:
    async def silent(_: object) -> Response:
        await anyio.sleep_forever()
        raise AssertionError

    with anyio.fail_after(60):
        with pytest.raises(TimedOut) as late:
            await tab.goto(web.route("/silent", silent), timeout=1)
        assert late.value.message == "The page did not reach load in 1 s: the server has not answered."
        assert await tab.evaluate("1") == 1


async def test_an_exception_in_a_getter_of_the_page_is_a_page_error(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("<script>Object.defineProperty(window, 'x', {get() { throw new Error('trap') }})</script>")
    )
    with pytest.raises(PageFailed, match="trap"):
        await tab.evaluate("x")
