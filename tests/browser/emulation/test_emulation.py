"""Emulation of devices, places and networks, in real Chromium."""

import time

import anyio
import pytest

from tabwright.browser.context import Context
from tabwright.browser.emulation.devices import find_device
from tabwright.browser.network.throttle import Speed, preset
from tabwright.browser.page.evaluate import evaluate
from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tests.web import Response, Web

NO_ICON = "<link rel=icon href='data:,'>"
SCREEN = "[innerWidth, innerHeight, devicePixelRatio, screen.width, screen.height]"
ZONE = "Intl.DateTimeFormat().resolvedOptions().timeZone"


async def test_a_viewport_survives_navigation(tab: Tab, web: Web) -> None:
    await tab.emulation.set_viewport(1000, 700, scale=2)
    assert await tab.evaluate(SCREEN) == [1000, 700, 2, 1000, 700]
    await tab.goto(web.page(NO_ICON))
    await tab.goto(f"{web.other_site}/nowhere")
    assert await tab.evaluate(SCREEN) == [1000, 700, 2, 1000, 700]


async def test_a_phone_has_its_screen_touch_and_user_agent(tab: Tab, web: Web) -> None:
    await tab.emulation.set_device("Pixel 9")
    page = web.page(f"{NO_ICON}<meta name=viewport content='width=device-width'>", "/page")
    await tab.goto(page)
    assert await tab.evaluate(SCREEN) == [412, 923, 2.625, 412, 923]
    assert await tab.evaluate(
        "[navigator.maxTouchPoints, 'ontouchstart' in window, matchMedia('(pointer: coarse)').matches]"
    ) == [5, True, True]
    major = tab.context.browser.version.product.partition("/")[2].partition(".")[0]
    sent = (await web.wait_for_request("/page")).headers
    agent = (
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0 Mobile Safari/537.36"
    )
    assert (sent["user-agent"], await tab.evaluate("navigator.userAgent")) == (agent, agent)
    assert (sent["sec-ch-ua-mobile"], sent["sec-ch-ua-platform"]) == ("?1", '"Android"')
    assert sent["sec-ch-ua"] == f'"Not:A-Brand";v="8", "Chromium";v="{major}", "Google Chrome";v="{major}"'
    assert await tab.evaluate(
        "navigator.userAgentData.getHighEntropyValues(['model', 'platformVersion'])"
        ".then(v => [v.model, v.platformVersion, v.mobile])"
    ) == ["Pixel 9", "15.0.0", True]


async def test_every_device_can_be_emulated(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(f"{NO_ICON}<meta name=viewport content='width=device-width'>"))
    for name in ("iPhone 16", "iPad Pro 13", "Desktop 4K"):
        wanted = find_device(name)
        await tab.emulation.set_device(name)
        assert await tab.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == [
            wanted.width,
            wanted.height,
            wanted.scale,
        ]
    with pytest.raises(InvalidArgs) as failure:
        find_device("Nokia 3310")
    assert failure.value.message == "Unknown device 'Nokia 3310'."


async def test_pages_with_the_permission_get_the_emulated_location(
    context: Context, tab: Tab, web: Web
) -> None:
    await tab.goto(web.page(NO_ICON))
    await context.permissions.grant("geolocation", origin=web.url)
    await tab.emulation.set_geolocation(48.8566, 2.3522, accuracy=5)
    script = """new Promise(ok => navigator.geolocation.getCurrentPosition(
        p => ok([p.coords.latitude, p.coords.longitude, p.coords.accuracy]), e => ok(e.message)))"""
    assert await tab.evaluate(script) == [48.8566, 2.3522, 5]
    await context.permissions.deny("geolocation", origin=web.url)
    assert await tab.evaluate(script) == "User denied Geolocation"


async def test_permissions_apply_to_their_origin_and_context_until_reset(
    context: Context, tab: Tab, web: Web
) -> None:
    state = "navigator.permissions.query({name: 'geolocation'}).then(p => p.state)"
    await context.permissions.grant("geolocation", "notifications", origin=f"{web.url}/path")
    await tab.goto(web.page(NO_ICON, "/page"))
    assert await tab.evaluate(state) == "granted"
    await tab.goto(f"{web.other_site}/page")
    by_itself = await tab.evaluate(state)
    assert by_itself != "granted"
    await context.permissions.deny("geolocation")
    assert await tab.evaluate(state) == "denied"
    await context.permissions.reset()
    assert await tab.evaluate(state) == by_itself
    with pytest.raises(InvalidArgs, match="Unknown permission 'teleport'"):
        await context.permissions.grant("teleport")


async def test_a_granted_notification_permission_is_visible_to_the_page(
    context: Context, tab: Tab, web: Web
) -> None:
    page = web.page(NO_ICON)
    await tab.goto(page)
    state = "navigator.permissions.query({name: 'notifications'}).then(p => p.state)"
    assert await tab.evaluate(state) == "prompt"
    for setting, set_it in (("granted", context.permissions.grant), ("denied", context.permissions.deny)):
        await set_it("notifications", origin=page)
        assert await tab.evaluate(state) == setting
        assert await tab.evaluate("Notification.requestPermission()") == setting


async def test_touch_can_be_switched_on_and_off_separately(tab: Tab, web: Web) -> None:
    seen = "[navigator.maxTouchPoints, 'ontouchstart' in window, matchMedia('(pointer: coarse)').matches]"
    page, none = web.page(NO_ICON), [0, False, False]
    await tab.goto(page)
    assert await tab.evaluate(seen) == none
    screen = await tab.evaluate(SCREEN)
    await tab.emulation.set_touch(True)
    await tab.goto(page)
    assert [await tab.evaluate(seen), await tab.evaluate(SCREEN)] == [[5, True, True], screen]
    await tab.emulation.set_touch(False)
    await tab.goto(page)
    assert await tab.evaluate(seen) == none


async def test_time_zone_and_locale_apply_to_frames_of_other_sites_too(tab: Tab, web: Web) -> None:
    await tab.emulation.set_timezone("Asia/Tokyo")
    await tab.emulation.set_locale("pt-BR")
    web.page("inside", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>", "/page"))
    [frame] = tab.main_frame.children
    facts = f"[{ZONE}, (1234.5).toLocaleString(), navigator.language, navigator.languages.join()]"
    expected = ["Asia/Tokyo", "1.234,5", "pt-BR", "pt-BR,pt"]
    assert await tab.evaluate(facts) == expected
    assert await evaluate(frame, facts) == expected
    assert (await web.wait_for_request("/inside")).headers["accept-language"] == "pt-BR,pt;q=0.9"
    await tab.emulation.set_timezone("America/New_York")
    assert [await tab.evaluate(ZONE), await evaluate(frame, ZONE)] == ["America/New_York"] * 2


async def test_colour_scheme_motion_and_media_type_can_be_emulated(tab: Tab) -> None:
    def matching() -> str:
        queries = ["prefers-color-scheme: dark", "prefers-reduced-motion: reduce"]
        return f"[...{queries}.map(q => matchMedia(`(${{q}})`).matches), matchMedia('print').matches]"

    await tab.emulation.set_media(colour_scheme="dark", motion="reduce")
    assert await tab.evaluate(matching()) == [True, True, False]
    await tab.emulation.set_media(kind="print", colour_scheme="light")
    assert await tab.evaluate(matching()) == [False, True, True]
    await tab.goto("about:blank#again")
    assert await tab.evaluate(matching()) == [False, True, True]


async def test_a_user_agent_applies_to_requests_frames_and_workers(tab: Tab, web: Web) -> None:
    await tab.emulation.set_user_agent("Robot/1.0")
    worker = "postMessage(navigator.userAgent)"
    web.route("/w.js", lambda _: Response(worker, headers={"content-type": "text/javascript"}))
    web.page("x", "/inside")
    await tab.goto(web.page(f"{NO_ICON}<iframe src='{web.other_site}/inside'></iframe>", "/page"))
    [frame] = tab.main_frame.children
    from_worker = "new Promise(ok => { new Worker('/w.js').onmessage = event => ok(event.data) })"
    assert await tab.evaluate(from_worker) == "Robot/1.0"
    assert await evaluate(frame, "navigator.userAgent") == "Robot/1.0"
    sent = {request.path: request.headers["user-agent"] for request in web.requests}
    assert sent == {"/page": "Robot/1.0", "/inside": "Robot/1.0", "/w.js": "Robot/1.0"}


async def test_a_slow_cpu_runs_scripts_slower(tab: Tab) -> None:
    work = """
        const start = performance.now();
        for (let i = 0, x = 0; i < 1e7; i++) x += i;
        return performance.now() - start;
    """
    fast = min([await tab.evaluate(work) for _ in range(10)])
    await tab.emulation.throttle_cpu(20)
    # Chrome throttles by interrupting the thread, and sometimes skips it on a busy machine: only the sum is reliable.
    assert sum([await tab.evaluate(work) for _ in range(10)]) > 2 * 10 * fast


async def test_a_slow_network_delays_responses(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    web.route("/data", lambda _: Response("x" * 50_000))
    await tab.throttle.set(Speed(latency=0.2, download=100_000))
    started = time.monotonic()
    assert await tab.evaluate("fetch('/data').then(r => r.text()).then(t => t.length)") == 50_000
    assert time.monotonic() - started > 0.6
    assert preset("3g") == Speed(0.5, 180_000, 85_000)
    with pytest.raises(InvalidArgs, match="Unknown network '6g'"):
        preset("6g")


async def test_reset_restores_everything(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(NO_ICON))
    facts = f"""[{SCREEN}, {ZONE}, navigator.userAgent, navigator.language, (1.5).toLocaleString(),
        navigator.maxTouchPoints, matchMedia('(prefers-color-scheme: dark)').matches,
        navigator.userAgentData.brands.map(b => b.brand).sort()]"""
    before = await tab.evaluate(facts)
    await tab.emulation.set_device("Galaxy S24")
    await tab.emulation.set_timezone("Asia/Kolkata")
    await tab.emulation.set_locale("de-DE")
    await tab.emulation.set_media(colour_scheme="dark")
    await tab.emulation.set_geolocation(1, 2)
    await tab.emulation.throttle_cpu(2)
    await tab.throttle.set(preset("4g"))
    assert await tab.evaluate(facts) != before
    assert len(tab.emulation.current) == 8
    await tab.emulation.reset()
    assert (tab.emulation.current, tab.throttle.speed) == ({}, Speed())
    with anyio.fail_after(60):
        while await tab.evaluate(facts) != before:  # Chrome resizes the page after it has answered
            await tab.evaluate("new Promise(requestAnimationFrame)")


async def test_emulation_applies_to_one_tab_only(context: Context) -> None:
    first, second = await context.new_tab(), await context.new_tab()
    await first.emulation.set_timezone("Asia/Tokyo")
    await first.emulation.set_viewport(500, 500)
    assert await second.evaluate(ZONE) != "Asia/Tokyo"
    assert await second.evaluate("innerWidth") != 500


async def test_invalid_values_are_refused_and_change_nothing(tab: Tab) -> None:
    emulation = tab.emulation
    refused = [
        (
            emulation.set_viewport(0, 600),
            "The viewport must be 1 to 10000 pixels wide and high, not 0 by 600.",
        ),
        (
            emulation.set_viewport(800, -1),
            "The viewport must be 1 to 10000 pixels wide and high, not 800 by -1.",
        ),
        (emulation.set_viewport(800, 600, scale=float("nan")), "Invalid device scale nan."),
        (emulation.set_geolocation(91, 0), "Invalid latitude 91."),
        (emulation.set_geolocation(0, float("inf")), "Invalid longitude inf."),
        (emulation.set_timezone("Mars/Base"), "Chrome does not accept 'Mars/Base': Invalid timezone id."),
        (emulation.set_timezone(""), "The time zone is empty."),
        (emulation.set_locale("english!"), "Unknown locale 'english!'."),
        (emulation.set_user_agent("a\r\nb"), "The user agent has control characters."),
        (emulation.throttle_cpu(0.5), "Invalid slowdown 0.5."),
    ]
    for call, message in refused:
        with pytest.raises(InvalidArgs) as failure:
            await call
        assert failure.value.message == message
    with pytest.raises(InvalidArgs, match="Invalid speed 0 bytes per second"):
        Speed(download=0)
    with pytest.raises(InvalidArgs, match="Invalid latency -1 s"):
        Speed(latency=-1)
    assert emulation.current == {}
