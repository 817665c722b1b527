"""The parser that checks scripts before they run."""

import re
import subprocess
import sys

import pytest

from tabwright.browser.page import isolated_world
from tabwright.policy.data.script_parser import MAX_LENGTH, NAMES, parse


@pytest.mark.parametrize(
    ("script", "source"),
    [
        ("rows[0]", "rows [ 0 ]"),
        ("rows['a']", 'rows [ "a" ]'),
        ("rows[i]", "rows [ guardedKey( i) ]"),
        ("a[b[c]][d, e]", "a [ guardedKey( b [ guardedKey( c) ]) ] [ guardedKey( d , e) ]"),
        ("return a?.['é' + b]", 'return a ?. [ guardedKey( "\\u00e9" + b) ]'),
        ("({[k]: 1, ...rest})", "( { [ guardedKey( k) ] : 1 , ... guardedAll( rest) } )"),
        ("`${a[`b`]}`", 'guardedText("", ( a [ guardedKey( guardedText("b")) ]), "")'),
        ("return {at: location.href}", "return { at : location . href }"),
        ("document.location.href", "guardedLocation . href"),
        ("[a]", "[ a, ]"),
        ("a / b // c", "a /\n b"),
        ("/a\\/b/g.test(this.x)", 'guardedRegExp("a\\\\/b", "g") . test ( guardedThis(this) . x )'),
        ("'location'", '("l" + "ocation")'),
        ("() => 1;", "( ) => 1"),
    ],
)
def test_computed_names_are_checked_at_run_time(script: str, source: str) -> None:
    read = parse(script)
    assert (read.source, read.obstacle, read.refused) == (source, "", None)


@pytest.mark.parametrize(
    "script",
    [
        "location",
        "x = location",
        "const {location: l} = document",
        "const {['location']: l} = document",
        "({'location': l} = document)",
        "({location} = document)",
        "window['location']",
        "window[0].location",
        "(location).href",
        "location.href = x",
        "location.href += x",
        "[location.href] = x",
        "({a: [location.href]} = x)",
        "(location.href) = x; return 1",
        "for (location.href of x) ;",
        "for ({a: location.href} of x) ;",
        "location.assign(x)",
        "1 // \u2028 window.location = x",
        "x = {get 'toJSON'() {}}",
        "x = class { static 'toJSON'() {} }",
        "x = {toJSON}",
        "x.constructor",
        "x.__proto__",
        "Object.assign(a, b)",
        "Object",
        "self.Object",
        "location.search = x",
        "a`b`",
        "const {...all} = document",
        "with (document) x",
        "guardedKey = 1",
        "x.loc\\u0061tion",
        "({'loc\\u0061tion': l} = document)",
        "a <!-- b",
        "a = <b>c</b>",
        "x\n/y/location",
        "document.(",
        "1;" * MAX_LENGTH,
    ],
)
def test_a_script_with_unknown_names_may_only_read(script: str) -> None:
    assert parse(script).obstacle


def test_the_parser_and_the_guard_forbid_the_same_names() -> None:
    guard = isolated_world.script("standalone/guard_scope.js")
    listed = re.search(r"const names = set\(`([^`]*)`\)", guard)
    assert listed is not None
    assert set(listed[1].split()) == NAMES


def test_the_parser_is_imported_only_with_the_first_script() -> None:
    code = "import sys, tabwright.runner, tabwright.policy.data.script_reach; print('tree_sitter' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
