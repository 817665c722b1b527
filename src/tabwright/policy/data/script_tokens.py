"""A checked script, written again from its tokens: the text that runs is the text that was checked.

No two parsers agree on every text: where a regular expression, a template or a comment ends decides what is
code. So the script is not run as it was written. It is written from the tokens that were checked, without the
constructs whose end depends on the parser: regular expressions and templates become calls, comments are left
out, and after a slash comes a line break, which no regular expression can contain. Whatever Chrome then takes
for an expression or for statements, it sees the same names.

Names that are computed when the script runs pass through functions of guard.js. `[a]` could be an array or a
name: an array gets a comma at its end, which is an error in a name.
"""

import json
import re
from typing import TYPE_CHECKING

from tabwright.policy.data.js_strings import Unreadable, decode_string

if TYPE_CHECKING:
    from tree_sitter import Node

KEY = "guardedKey"
ALL = "guardedAll"
_LOCATION = "guardedLocation"
_TEXT = "guardedText"
_REGEX = "guardedRegExp"
_THIS = "guardedThis"
HELPERS = frozenset(
    (KEY, ALL, _LOCATION, _TEXT, _REGEX, _THIS, "guardedScope", "guardedFrames", "guardedResult", "guarded")
)

_LINE_BREAK = re.compile(r"[\n\r\u2028\u2029]")
_NUMBER = re.compile(r"(?:0[xXbBoO][0-9a-fA-F_]+|[0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9_]+)?)n?")
_PUNCTUATION = re.compile(r"[{}()\[\];,<>=!+\-*%&|^~?:./]+|@")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_ARRAYS = frozenset(("array", "array_pattern"))


class TokenWriter:
    """Writes the tokens of one syntax tree.

    Args:
        names: names that must not stand where they could name a property.
    """

    def __init__(self, source: bytes, names: frozenset[str]) -> None:
        self._source = source
        self._names = names
        self._parts: list[str] = []
        self._tokens: list[str] = []
        self._open: list[str] = []
        self._end = 0

    def write(self, nodes: "list[Node]") -> str:
        """Return the source of some neighbouring nodes.

        Raises:
            Unreadable: it contains something that parsers may read differently.
        """
        self._end = nodes[0].start_byte if nodes else 0
        for node in nodes:
            self._node(node)
        if self._open:
            raise Unreadable("unbalanced brackets")
        self._check_names()
        return "".join(self._parts).strip()

    def _node(self, node: "Node") -> None:
        writers = {
            "string": self._string,
            "template_string": self._template,
            "regex": self._regex,
            "this": self._this,
            "subscript_expression": self._subscript,
            "computed_property_name": self._computed,
            "spread_element": self._spread,
            "member_expression": self._member,
        }
        if node.type == "comment":
            return
        if (writer := writers.get(node.type)) is not None:
            writer(node)
        elif node.child_count:
            self._children(node)
            if node.type in _ARRAYS:
                self._close_array(node)
        elif node.end_byte > node.start_byte:
            self._token(node, self._word(node))

    def _children(self, node: "Node") -> None:
        last = node.children[-1] if node.type in _ARRAYS else None
        for child in node.children:
            if child != last:
                self._node(child)

    def _close_array(self, node: "Node") -> None:
        before = node.children[-2]
        if before.type not in ("[", ",", "spread_element", "rest_pattern", "comment"):
            self._add(",")
        elif before.type == "comment":
            raise Unreadable("a comment at the end of a list")
        self._node(node.children[-1])

    def _string(self, node: "Node") -> None:
        self._token(node, self._literal(decode_string(_text(node)[1:-1])))

    def _literal(self, value: str) -> str:
        if value in self._names:  # as an expression, it cannot name a property
            return f"({json.dumps(value[:1])} + {json.dumps(value[1:])})"
        return json.dumps(value)

    def _template(self, node: "Node") -> None:
        if node.parent is not None and node.parent.type == "call_expression":
            raise Unreadable("tagged templates")
        self._start(node)
        self._add(f"{_TEXT}(")
        place = node.start_byte + 1
        for child in node.named_children:
            if child.type == "template_substitution":
                self._add(self._template_text(place, child.start_byte) + ", (")
                self._end = child.start_byte + 2
                for inner in child.named_children:
                    self._node(inner)
                self._add("), ")
                place = child.end_byte
        self._add(self._template_text(place, node.end_byte - 1) + ")")
        self._end = node.end_byte

    def _template_text(self, start: int, end: int) -> str:
        raw = self._source[start:end].decode().replace("\r\n", "\n").replace("\r", "\n")
        return json.dumps(decode_string(raw))

    def _regex(self, node: "Node") -> None:
        pattern, _, flags = _text(node)[1:].rpartition("/")
        self._token(node, f"{_REGEX}({json.dumps(pattern)}, {json.dumps(flags)})")

    def _this(self, node: "Node") -> None:
        self._token(node, f"{_THIS}(this)")

    def _subscript(self, node: "Node") -> None:
        index = node.child_by_field_name("index")
        for child in node.children:
            if child == index and not self._is_harmless_key(child):
                self._wrap(KEY, child)
            else:
                self._node(child)

    def _is_harmless_key(self, node: "Node") -> bool:
        is_text = node.type == "string" and decode_string(_text(node)[1:-1]) not in self._names
        return is_text or node.type == "number"

    def _computed(self, node: "Node") -> None:
        for child in node.children:
            if child.is_named and child.type != "comment":
                self._wrap(KEY, child)
            else:
                self._node(child)

    def _spread(self, node: "Node") -> None:
        in_object = bool(self._open) and self._open[-1] == "{"
        for child in node.children:
            if in_object and child.is_named and child.type != "comment":
                self._wrap(ALL, child)
            else:
                self._node(child)

    def _member(self, node: "Node") -> None:
        name = node.child_by_field_name("property")
        if name is not None and _text(name) == "location":
            self._token(node, _LOCATION)
        else:
            self._children(node)

    def _wrap(self, function: str, node: "Node") -> None:
        self._start(node)
        self._add(f"{function}(")
        self._node(node)
        self._add(")")

    def _word(self, node: "Node") -> str:
        """Return a token that every parser reads as one."""
        text = _text(node)
        if text in ("/", "/="):
            return f"{text}\n"
        known = (
            _PUNCTUATION.fullmatch(text)
            if not (text[0].isalnum() or text[0] in "_$#" or ord(text[0]) > 127)
            else text.removeprefix("#").replace("$", "_").isidentifier() or _NUMBER.fullmatch(text)
        )
        if node.type == "number":
            known = _NUMBER.fullmatch(text)
        if not known:
            raise Unreadable("unusual characters")
        return text

    def _token(self, node: "Node", text: str) -> None:
        self._start(node)
        self._add(text)
        self._tokens.append(text.strip())
        if text in _CLOSES.values():
            self._open.append(text)
        elif text in _CLOSES and (not self._open or self._open.pop() != _CLOSES[text]):
            raise Unreadable("unbalanced brackets")
        if (
            text == "..."
            and self._open
            and self._open[-1] == "{"
            and node.parent
            and node.parent.type != "spread_element"
        ):
            raise Unreadable("... in an object")
        self._end = node.end_byte

    def _start(self, node: "Node") -> None:
        """Keep a line break before a token, where a statement may end."""
        gap = self._source[self._end : node.start_byte].decode(errors="replace")
        self._add("\n" if _LINE_BREAK.search(gap) else " ")
        self._end = node.start_byte

    def _add(self, text: str) -> None:
        self._parts.append(text)

    def _check_names(self) -> None:
        """Refuse names where they could name a property; `location` elsewhere is the variable of guard.js."""
        around = ["{", *self._tokens, "}"]
        for before, name, after in zip(around, self._tokens, around[2:], strict=False):
            is_key = before in (".", "?.") or (before in ("{", ",") and after in (",", "}", ":", "=", "("))
            if name in self._names and (name != "location" or is_key):
                raise Unreadable(f"`{name}`")


def _text(node: "Node") -> str:
    return (node.text or b"").decode()
