"""Screenshots of real pages."""

import base64
import io

import anyio
import pytest
from PIL import Image

from tabwright.browser.capture.screenshot import Screenshot, capture
from tabwright.browser.context import Context
from tabwright.browser.geometry import Clip
from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs, PageFailed, TimedOut
from tests.web import Web

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)
NOISE = """<canvas id=noise width=1000 height=800></canvas><script>
    const context = noise.getContext('2d'), image = context.createImageData(1000, 800);
    let seed = 1;
    for (let i = 0; i < image.data.length; i++) image.data[i] = (seed = seed * 16807 % 2147483647) & 255;
    context.putImageData(image, 0, 0);
</script>"""


def image(shot: Screenshot) -> Image.Image:
    """Decode a screenshot, and check its size and type."""
    raw = base64.b64decode(shot.data)
    opened = Image.open(io.BytesIO(raw))
    assert opened.size == (shot.width, shot.height)
    assert opened.get_format_mimetype() == shot.mime
    assert len(raw) == shot.bytes
    return opened.convert("RGB")


def colour(shot: Screenshot, x: int, y: int) -> tuple[int, ...]:
    pixel = image(shot).getpixel((x, y))
    assert isinstance(pixel, tuple)
    return tuple(0 if part < 12 else 255 if part > 243 else part for part in pixel)


async def view(tab: Tab, **metrics: float) -> None:
    shape: dict[str, object] = {"width": 800, "height": 600, "deviceScaleFactor": 1, "mobile": False}
    await tab.session.send("Emulation.setDeviceMetricsOverride", **{**shape, **metrics})


async def test_screenshot_shows_the_scrolled_viewport(tab: Tab, web: Web) -> None:
    await view(tab)
    page = "<body style='margin:0'><div style='height:1000px;background:red'></div>"
    await tab.goto(web.page(f"{page}<div style='height:1000px;background:blue'></div>"))
    await tab.evaluate("scrollTo(0, 900)")
    shot = await capture(tab)
    place = (shot.width, shot.height, shot.scale, shot.x, shot.y, shot.scroll_x, shot.scroll_y, shot.mime)
    assert place == (800, 600, 1.0, 0, 900, 0, 900, "image/jpeg")
    assert [colour(shot, 5, 90), colour(shot, 5, 110)] == [RED, BLUE]


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
@pytest.mark.parametrize("ratio", [1, 2.625])
async def test_every_format_and_pixel_ratio_fits_the_longest_side(
    tab: Tab, web: Web, kind: str, ratio: float
) -> None:
    await view(tab, deviceScaleFactor=ratio)
    await tab.goto(web.page("<body style='background:rgb(0 0 255)'>"))
    shot = await capture(tab, kind=kind, max_side=333)  # type: ignore[arg-type]  # one of the three
    assert (shot.width, shot.height, shot.mime) == (333, 250, f"image/{kind}")
    assert colour(shot, 300, 200) == BLUE
    assert (await capture(tab, kind=kind)).width == 800  # type: ignore[arg-type]  # one of the three


async def test_a_larger_scale_shows_the_pixels_of_a_dense_screen(tab: Tab, web: Web) -> None:
    await view(tab, deviceScaleFactor=3)
    await tab.goto(web.page("<body>"))
    shot = await capture(tab, scale=3)
    assert (shot.width, shot.height, shot.scale) == (2400, 1800, 3.0)


async def test_a_page_of_30000_pixels_fits_and_keeps_its_scroll_position(tab: Tab, web: Web) -> None:
    await view(tab)
    await tab.goto(
        web.page("""<body style='margin:0'><div style='height:100vh;background:red'></div>
        <div style='height:29300px;background:green'></div><div style='height:100px;background:blue'></div>""")
    )
    await tab.evaluate("scrollTo(0, 700)")
    shot = await capture(tab, area="page", max_side=2000)
    assert (shot.height, shot.x, shot.y, shot.scroll_y) == (2000, 0, 0, 700)
    assert [colour(shot, 5, y) for y in (2, 37, 43, 1990, 1997)] == [RED, RED, GREEN, GREEN, BLUE]
    assert await tab.evaluate("[scrollY, innerWidth, innerHeight]") == [700, 800, 600]


async def test_a_full_page_on_a_phone_keeps_its_scroll_position(tab: Tab, web: Web) -> None:
    await view(tab, width=390, height=844, deviceScaleFactor=3, mobile=True)
    await tab.goto(web.page("<meta name=viewport content='width=device-width'><div style='height:5000px'>"))
    await tab.evaluate("scrollTo(0, 1234)")
    for _ in range(3):
        shot = await capture(tab, area="page", max_side=1000)
        assert shot.height == 1000
    assert await tab.evaluate("[Math.round(scrollY), innerWidth, innerHeight]") == [1234, 390, 844]


async def test_an_element_is_captured_alone(tab: Tab, web: Web) -> None:
    await view(tab)
    await tab.goto(web.page("<div id=a style='width:120px;height:80px;margin:40px;background:blue'></div>"))
    shot = await capture(tab, area=tab.element("#a"), kind="png")
    assert (shot.width, shot.height, shot.x, shot.y) == (120, 80, 48, 40)
    assert [colour(shot, x, y) for x, y in ((0, 0), (119, 79))] == [BLUE, BLUE]


async def test_an_element_out_of_view_is_scrolled_into_view(tab: Tab, web: Web) -> None:
    await view(tab)
    await tab.goto(
        web.page("""<div style='height:3000px'></div><div style='height:200px;overflow:auto'>
        <div style='height:900px'></div><div id=a style='width:50px;height:50px;background:red'></div></div>""")
    )
    shot = await capture(tab, area=tab.element("#a"))
    assert (shot.width, shot.height, colour(shot, 25, 25)) == (50, 50, RED)


async def test_an_element_of_4k_fits(tab: Tab, web: Web) -> None:
    await view(tab)
    style = "width:3840px;height:2160px;background:linear-gradient(to right, red 50%, blue 50%)"
    await tab.goto(web.page(f"<body style='margin:0'><div id=a style='{style}'></div>"))
    shot = await capture(tab, area=tab.element("#a"), max_side=1568)
    assert (shot.width, shot.height) == (1568, 882)
    assert [colour(shot, x, 880) for x in (10, 1560)] == [RED, BLUE]


@pytest.mark.parametrize("site", ["same", "other"])
async def test_an_element_in_a_frame_is_captured(tab: Tab, web: Web, site: str) -> None:
    await view(tab)
    web.page(
        "<body style='margin:10px'><div id=a style='width:60px;height:40px;background:red'></div>", "/inside"
    )
    source = web.url if site == "same" else web.other_site
    await tab.goto(
        web.page(
            f"<body style='margin:0'><p>x</p><iframe src='{source}/inside' style='border:5px solid'></iframe>"
        )
    )
    shot = await capture(tab, area=tab.element("#a"), kind="png")
    assert (shot.width, shot.height) == (60, 40)
    assert [colour(shot, x, y) for x, y in ((0, 0), (59, 39))] == [RED, RED]


async def test_quality_then_size_are_reduced_until_it_fits(tab: Tab, web: Web) -> None:
    await view(tab, width=1000, height=800)
    await tab.goto(web.page(f"<body style='margin:0'>{NOISE}"))
    full = await capture(tab)
    lower = await capture(tab, max_bytes=full.bytes * 3 // 4)
    assert (lower.width, lower.bytes <= full.bytes * 3 // 4) == (1000, True)
    small = await capture(tab, max_bytes=100_000)
    assert small.width < 1000
    assert 30_000 < small.bytes <= 100_000
    assert image(small).size == (small.width, small.height)
    tiny = await capture(tab, max_bytes=2_000)
    assert tiny.bytes <= 2_000


async def test_a_png_is_only_reduced_in_size(tab: Tab, web: Web) -> None:
    await view(tab)
    await tab.goto(web.page(f"<body style='margin:0'>{NOISE}"))
    shot = await capture(tab, kind="png", max_bytes=100_000)
    assert (shot.mime, shot.bytes <= 100_000, shot.width < 800) == ("image/png", True, True)
    assert image(shot).size == (shot.width, shot.height)


async def test_a_clip_is_cut_to_the_page(tab: Tab, web: Web) -> None:
    await view(tab)
    await tab.goto(web.page("<body style='margin:0'><div style='height:2000px;background:red'></div>"))
    shot = await capture(tab, area=Clip(-10, 1900, 100, 500))
    assert (shot.x, shot.y, shot.width, shot.height) == (0, 1900, 90, 100)
    assert colour(shot, 5, 95) == RED


async def test_an_empty_page_is_captured_as_its_viewport(tab: Tab) -> None:
    await view(tab)
    shot = await capture(tab, area="page")
    assert (shot.width, shot.height) == (800, 600)


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quality": 101}, "Invalid quality 101."),
        ({"scale": 0}, "Invalid scale 0."),
        ({"scale": float("nan")}, "Invalid scale nan."),
        ({"max_side": 0}, "Invalid maximum side 0."),
        ({"max_bytes": 10}, "No screenshot fits into 10 bytes."),
        ({"area": Clip(0, 0, float("nan"), 1)}, "The clip must consist of finite numbers."),
        ({"area": Clip(0, 5000, 10, 10)}, "The clip is outside the page, which is 800 by 600."),
    ],
)
async def test_invalid_screenshot_options_are_refused(
    tab: Tab, options: dict[str, object], message: str
) -> None:
    await view(tab)
    with pytest.raises(InvalidArgs) as failure:
        await capture(tab, **options)  # type: ignore[arg-type]  # wrong on purpose
    assert failure.value.message == message


async def test_an_element_without_size_is_refused(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<div id=a></div><p id=b style='display:none'>x</p>"))

    async def show(target: str) -> None:
        with pytest.raises(Blocked):
            await capture(tab, area=tab.element(target), timeout=8)

    async with anyio.create_task_group() as group:  # each is given time to get a size
        for target in ("#a", "#b"):
            group.start_soon(show, target)


async def test_an_open_dialog_is_reported(tab: Tab) -> None:
    await tab.evaluate("void setTimeout(() => alert('stop'))")
    await tab.changed.until(lambda: tab.dialogs.open is not None)
    with pytest.raises(Blocked) as failure:
        await capture(tab)
    assert failure.value.message == 'The page shows an alert dialog "stop".'


async def test_a_crashed_page_is_reported(tab: Tab, web: Web) -> None:
    url = web.page("x")
    await tab.goto(url)
    tab.session.post("Page.crash")
    with pytest.raises(PageFailed, match="crashed"):
        await tab.until(lambda: False)
    with pytest.raises(PageFailed, match=f"The page {url} crashed"):
        await capture(tab)


async def test_a_background_tab_is_activated(context: Context, web: Web) -> None:
    behind = await context.new_tab(web.page("<body style='background:red'>"))
    await view(behind)
    with context.expect_tab() as expected:
        await context.browser.root.send(
            "Target.createTarget", url="about:blank", browserContextId=context.id, newWindow=False
        )
    front = await expected.wait()
    assert [colour(await capture(tab), 5, 5) for tab in (behind, front, behind)] == [RED, WHITE, RED]


async def test_a_screenshot_that_takes_too_long_times_out(tab: Tab) -> None:
    with pytest.raises(TimedOut) as failure:
        await capture(tab, timeout=0.000_001)
    assert str(failure.value) == (
        "The page painted nothing within 1e-06 s. Activate the tab or reload the page, then try again."
    )


async def test_a_page_does_not_notice_a_viewport_screenshot(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page("""<div style='height:3000px'></div><script>
        log = []; for (const name of ['resize', 'scroll', 'blur', 'focus', 'visibilitychange'])
          addEventListener(name, () => log.push(name), true);
        </script>""")
    )
    await capture(tab, max_side=500)
    await capture(tab, max_side=300, kind="png")
    assert await tab.evaluate("new Promise(ok => requestAnimationFrame(() => ok(log)))") == []
