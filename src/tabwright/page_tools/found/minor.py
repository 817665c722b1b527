"""Buttons that few people come to a page for: menus, themes, sharing, counters, templates left unfilled."""

import re

from tabwright.browser.snapshot.nodes import words as set_of
from tabwright.page_tools.found.words import slug

_SERVICES = set_of("""
    facebook twitter x linkedin whatsapp pinterest tumblr reddit instagram youtube telegram mastodon flipboard
    google_plus vk messenger pocket email e_mail rss bluesky threads
""")
_MINOR = re.compile(
    r"(?:(?:open|close|toggle|show|hide|expand|collapse|skip)_)?(?:the_)?"
    r"(?:(?:main|side|mobile|site|primary|global|user|navigation)_)*"
    r"(?:menu|nav|navigation|navbar|sidebar|drawer|(?:color_)?(?:theme|scheme)(?:_.*)?|dark_mode(?:_.*)?|table_of_contents|dark_mode|light_mode|full_?screen|language|languages"
    r"|all_sections|sections|options|more|more_options|settings)(?:_menu)*"
    r"|(?:share|tweet|follow|compartir|teilen|partager|condividi|delen)_(?:on|via|en|auf|sur|su|with|by)_.+"
    r"|show|hide|expand|collapse|show_more|show_less|print(?:_this.*)?|imprimir|drucken|imprimer|copy_(?:link|url|item_path|code)(?:_.*)?|permalink|top"
    r"|(?:privacy|cookie|terms)(?:_.*)?|(?:reload|refresh)(?:_(?:the|this)_(?:page|post))?|loading"
)
# What a site has at the top of all its pages.
_SITE = re.compile(
    r"(?:(?:open|show|view|toggle|my|user)_)*(?:notifications?|messages?|alerts?|inbox|account|profile|user|apps?|help"
    r"|menu|avatar|command_palette)(?:_menu)?(?:_\\d+)?"
)
_TEMPLATE = re.compile(r"\{\{|\{[\w.]+\}|\[object |<%|undefined")


def is_minor_label(label: str) -> bool:
    """Whether a button with this label matters to few people."""
    name = slug(label)
    if not any(map(str.isalpha, label)) or _TEMPLATE.search(label):
        return True
    return name in _SERVICES or _MINOR.fullmatch(name) is not None


def is_site_label(label: str) -> bool:
    """Whether a button with this label, at the top of a page, belongs to the site rather than to the page."""
    return _SITE.fullmatch(slug(label)) is not None
