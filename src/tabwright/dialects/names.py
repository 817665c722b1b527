"""The names of the dialects; light to import, for help texts."""

BROWSER, BROWSION, PLAIN, TABS, AGENT_BROWSER = DIALECTS = (
    "browser",
    "browsion",
    "plain",
    "tabs",
    "agent_browser",
)
