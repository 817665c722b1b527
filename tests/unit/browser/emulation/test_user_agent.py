"""User agents and their client hints."""

from tabwright.browser.emulation.devices import DEVICES, find_device
from tabwright.browser.emulation.user_agent import user_agent_params


def test_a_chrome_on_android_has_matching_hints() -> None:
    params = user_agent_params(find_device("pixel 9").agent("156"), "fr-FR,fr")
    assert params == {
        "userAgent": (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/156.0.0.0 Mobile Safari/537.36"
        ),
        "platform": "Linux armv81",
        "acceptLanguage": "fr-FR,fr",
        "userAgentMetadata": {
            "brands": [
                {"brand": "Not:A-Brand", "version": "8"},
                {"brand": "Chromium", "version": "156"},
                {"brand": "Google Chrome", "version": "156"},
            ],
            "fullVersionList": [
                {"brand": "Not:A-Brand", "version": "8.0.0.0"},
                {"brand": "Chromium", "version": "156.0.0.0"},
                {"brand": "Google Chrome", "version": "156.0.0.0"},
            ],
            "platform": "Android",
            "platformVersion": "15.0.0",
            "architecture": "",
            "bitness": "",
            "model": "Pixel 9",
            "mobile": True,
        },
    }


def test_a_safari_sends_no_hints() -> None:
    assert user_agent_params(find_device("iPhone 16").agent("156")).keys() == {"userAgent", "platform"}


def test_every_device_has_a_unique_name_and_a_plausible_screen() -> None:
    assert len({known.name.casefold() for known in DEVICES}) == len(DEVICES) >= 12
    assert all(100 < known.width < 5000 and 100 < known.height < 5000 for known in DEVICES)
    assert all(1 <= known.scale <= 4 for known in DEVICES)
