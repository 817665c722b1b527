"""Parses a script before it runs: what it uses that is forbidden, and whether all names in it are known.

A Location runs javascript: URLs in the page's own world, and no world can be hardened against it. So a script
with effects must not be able to get one: the names it uses are literal, or they are computed and checked when
it runs (by functions of guard.js). Anything else is an obstacle: such a script may only read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

from tabwright.browser.page.script_forms import as_expression
from tabwright.policy.data.js_strings import Unreadable
from tabwright.policy.data.script_tokens import HELPERS, TokenWriter

# Longer scripts are not parsed; the hardened world protects by itself.
MAX_LENGTH = 10_000
# Names that lead to a Location, or to something that returns any value of an object; as in guard.js.
NAMES = frozenset(
    (
        "location",
        "Object",
        "Reflect",
        "Proxy",
        "JSON",
        "toJSON",
        "constructor",
        "__proto__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__defineGetter__",
        "__defineSetter__",
    )
)
_STORAGE = "Use get_storage and set_storage."
_CODE = "Write the code itself into the script."
_REFUSED = {
    "eval": _CODE,
    "Function": _CODE,
    "import()": _CODE,
    "document.cookie": "Use get_cookies and set_cookie.",
    "cookieStore": "Use get_cookies and set_cookie.",
    "localStorage": _STORAGE,
    "sessionStorage": _STORAGE,
    "indexedDB": "Use list_databases and read_database.",
    "caches": "Use list_requests.",
}
_WINDOWS = frozenset(("window", "self", "globalThis", "top", "parent", "frames"))
_LOCATION_READ = frozenset(
    (
        "href",
        "origin",
        "protocol",
        "host",
        "hostname",
        "port",
        "pathname",
        "search",
        "hash",
    )
)
# Any other part would load a page.
_LOCATION_SET = frozenset(("hash",))
_VALUES_OF_OBJECTS = frozenset(("keys", "values", "entries", "fromEntries"))
# Parents of an expression that only read its value.
_READING = frozenset(
    (
        "return_statement",
        "arguments",
        "binary_expression",
        "template_substitution",
        "member_expression",
        "call_expression",
        "expression_statement",
        "arrow_function",
        "unary_expression",
    )
)
_NAMED = frozenset(
    (
        "identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
    )
)
# Nodes whose name may be a string, and the field of that name.
_KEYED = {"pair": "key", "pair_pattern": "key", "method_definition": "name", "field_definition": "property"}
_LITERALS = frozenset(("array", "object", "pair"))
_OBSTACLES = {
    "with_statement": "`with`",
    "html_comment": "<!--",
    "decorator": "decorators",
}
# Variables of these names are those of guard.js, which are harmless; as properties, the names are refused.
_VARIABLES = frozenset(("Object", "Reflect", "Proxy", "JSON"))
_HTML_COMMENT = re.compile("<!--|-->")


@dataclass(frozen=True, slots=True)
class Script:
    """A script as it is to run; `refused` is something forbidden that it uses, and what to use instead."""

    source: str
    obstacle: str = ""
    refused: tuple[str, str] | None = None


def parse(script: str) -> Script:
    """Parse a script: an expression, or statements."""
    if len(script) > MAX_LENGTH:
        return Script(script, f"being longer than {MAX_LENGTH:,} characters")
    try:
        source = as_expression(script).encode()
    except UnicodeEncodeError:
        return Script(script, "half characters")
    tree = _parser().parse(source).root_node
    root = None if tree.has_error else _inside(tree)
    if root is None:
        source = script.encode()
        tree = _parser().parse(source).root_node
        root = tree.children
    nodes = [pair for part in root for pair in _walk(part)]
    if word := next(filter(None, (_find_forbidden(*node) for node in nodes)), None):
        return Script(script, refused=(word, _REFUSED[word]))
    if tree.has_error or _HTML_COMMENT.search(script):
        return Script(script, "anything but plain JavaScript")
    if obstacle := next(filter(None, (_obstacle(*node) for node in nodes)), None):
        return Script(script, obstacle)
    return _write(script, source, root)


def _write(script: str, source: bytes, nodes: list[Node]) -> Script:
    try:
        return Script(TokenWriter(source, NAMES - _VARIABLES).write(nodes))
    except Unreadable as construct:
        return Script(script, str(construct))
    except RecursionError:
        return Script(script, "so many brackets")


def _inside(root: Node) -> list[Node] | None:
    """Return what stands in the parentheses that `as_expression` added, if they enclose everything."""
    statements = [child for child in root.named_children if child.type != "comment"]
    whole = statements[0].named_child(0) if len(statements) == 1 else None
    if whole is None or whole.type != "parenthesized_expression" or whole.start_byte > 0:
        return None
    return whole.children[1:-1] if whole.end_byte == root.end_byte else None


def _find_forbidden(node: Node, parent: Node | None) -> str | None:
    """Return the forbidden name that a node clearly uses, if it does."""
    if node.type == "import":
        return "import()"
    name = _name(node, parent)
    if name != "cookie" and name not in _REFUSED:
        return None
    if node.type == "identifier":
        return name if name in _REFUSED and not _declared(node) else None
    holder = _object_of(node)
    if name == "cookie" and holder.rpartition(".")[2] == "document":
        return "document.cookie"
    return name if name in _REFUSED and holder in _WINDOWS else None


def _obstacle(node: Node, parent: Node | None) -> str | None:
    """Return why not all names that a node uses are known, if so."""
    kind = node.type
    if kind in _OBSTACLES or kind.startswith("jsx"):
        return _OBSTACLES.get(kind, "JSX")
    if kind == "rest_pattern" and parent and parent.type == "object_pattern":
        return "... in an object"
    name = _name(node, parent)
    if "\\" in name:
        return "escapes in names"
    if name in HELPERS or (name in NAMES and not _harmless(node, name)):
        return f"`{name}`" + (" other than to read it" if name == "location" else "")
    return None


def _name(node: Node, parent: Node | None) -> str:
    """Return the name that a node or a string stands for, if it stands for one."""
    if node.type in _NAMED:
        return _text(node)
    if node.type != "string" or parent is None:
        return ""
    if parent.type == "subscript_expression":
        name = _text(node)[1:-1]
        return "" if "\\" in name else name  # checked when it runs
    if parent.type == "computed_property_name":
        return _text(node)[1:-1]
    is_key = parent.type in _KEYED and parent.child_by_field_name(_KEYED[parent.type]) == node
    return _text(node)[1:-1] if is_key else ""


def _harmless(node: Node, name: str) -> bool:
    if name == "location":
        return _reads_location(node)
    parent = node.parent
    if node.type != "identifier" or parent is None or parent.child_by_field_name("object") != node:
        return False
    member = parent.child_by_field_name("property")
    wanted = _text(member) if member is not None else ""
    if name == "Object":
        return wanted in _VALUES_OF_OBJECTS
    return name == "JSON" and wanted in ("parse", "stringify")


def _reads_location(node: Node) -> bool:
    """Whether it is `location` of the window or the document, and only one part of it is read."""
    place: Node | None = node
    if node.type == "property_identifier":
        place = node.parent
        if place is None or _object_of(node) not in _WINDOWS | {"document"}:
            return False
    member = place.parent if place is not None else None
    if member is None or member.type != "member_expression" or member.child_by_field_name("object") != place:
        return False
    found = member.child_by_field_name("property")
    part = _text(found) if found is not None else ""
    around = member.parent
    if around is None or part not in _LOCATION_READ:
        return False
    if around.type in ("assignment_expression", "variable_declarator"):
        return around.child_by_field_name("left") != member or part in _LOCATION_SET
    while around.type in _LITERALS and around.parent is not None:
        around = around.parent
    return around.type in _READING or _is_whole(around)


def _is_whole(node: Node) -> bool:
    """Whether it is the pair of parentheses that `parse` added around an expression."""
    statement = node.parent
    return node.start_byte == 0 and statement is not None and statement.type == "expression_statement"


def _declared(node: Node) -> bool:
    """Whether the script declares a variable of that name."""
    root = node
    while root.parent is not None:
        root = root.parent
    name = re.escape(_text(node))
    return re.search(rf"\b(?:let|const|var|function|class)\s+{name}\b|\b{name}\s*=>", _text(root)) is not None


def _object_of(node: Node) -> str:
    """Return the source of the object that a name is a property of."""
    parent = node.parent
    if parent is None or parent.type not in ("member_expression", "subscript_expression"):
        return ""
    holder = parent.child_by_field_name("object")
    return "" if holder is None or holder == node else _text(holder)


def _walk(root: Node) -> Iterator[tuple[Node, Node | None]]:
    """Yield every node with its parent; `node.parent` would search from the root each time."""
    waiting: list[tuple[Node, Node | None]] = [(root, None)]
    while waiting:
        node, parent = waiting.pop()
        yield node, parent
        waiting.extend((child, node) for child in reversed(node.children))


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_javascript.language()))
