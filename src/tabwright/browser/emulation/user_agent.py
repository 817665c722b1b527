"""A user agent and the client hints that match it: a site that compares them must find no contradiction."""

import re

from tabwright.cdp import Params

_CHROME = re.compile(r"\b(?:Headless)?Chrom(?:e|ium)/(\d+)(\.[\d.]+)?")
_ANDROID = re.compile(r"Android (\d+)[^;)]*; ([^;)]+?)(?: Build[^)]*)?\)")
# Operating systems: as named in a user agent, in client hints, and in navigator.platform.
_SYSTEMS = (
    ("iPhone", "iOS", "iPhone"),
    ("iPad", "iOS", "iPad"),
    ("Android", "Android", "Linux armv81"),
    ("CrOS", "Chrome OS", "Linux x86_64"),
    ("Windows", "Windows", "Win32"),
    ("Macintosh", "macOS", "MacIntel"),
    ("Linux", "Linux", "Linux x86_64"),
)


def user_agent_params(user_agent: str, languages: str = "") -> Params:
    """Return the parameters of `Emulation.setUserAgentOverride` for a user agent."""
    _, system, platform = next((row for row in _SYSTEMS if row[0] in user_agent), ("", "", ""))
    params: Params = {"userAgent": user_agent, "platform": platform}
    if languages:
        params["acceptLanguage"] = languages
    if chrome := _CHROME.search(user_agent):
        params["userAgentMetadata"] = _hints(user_agent, system, chrome)
    return params


def _hints(user_agent: str, system: str, chrome: re.Match[str]) -> Params:
    major, full = chrome[1], f"{chrome[1]}{chrome[2] or '.0.0.0'}"
    brands = [("Not:A-Brand", "8"), ("Chromium", major), ("Google Chrome", major)]
    android = _ANDROID.search(user_agent)
    mobile = "Mobile" in user_agent
    return {
        "brands": [{"brand": brand, "version": version} for brand, version in brands],
        "fullVersionList": [
            {"brand": brand, "version": full if version == major else f"{version}.0.0.0"}
            for brand, version in brands
        ],
        "platform": system,
        "platformVersion": f"{android[1]}.0.0" if android else "",
        "architecture": "" if mobile or android else "x86",
        "bitness": "" if mobile or android else "64",
        "model": android[2] if android and android[2] != "K" else "",
        "mobile": mobile,
    }
