"""core/visibility.js and core/dom.js: what a user can see, and the rendered tree."""

import pytest

from tests.browser.js.conftest import World

HIDDEN = "position: absolute; width: 1px; height: 1px; overflow: hidden"

# HTML: whether the box of its element can be seen
BOXES = {
    "<p>text</p>": True,
    "<p style='display: none'>text</p>": False,
    "<div style='display: none'><p t>text</p></div>": False,
    "<p style='visibility: hidden'>text</p>": False,
    "<div style='visibility: hidden'><p t style='visibility: visible'>text</p></div>": True,
    "<p style='opacity: 0'>text</p>": False,
    "<p style='opacity: 0.05'>text</p>": False,
    "<p style='opacity: 0.5'>text</p>": True,
    "<div style='opacity: 0.3'><p t style='opacity: 0.3'>text</p></div>": False,
    "<p style='filter: opacity(0%)'>text</p>": False,
    "<p style='width: 0; height: 0; overflow: hidden'>text</p>": False,
    f"<p style='{HIDDEN}'>text</p>": False,
    "<p style='position: absolute; left: -9999px'>text</p>": False,
    "<p style='position: absolute; top: -9999px'>text</p>": False,
    "<p style='position: absolute; left: 50px; top: 5000px'>below the fold</p>": True,
    "<p style='position: absolute; left: 9999px'>text</p>": False,
    "<p style='clip-path: inset(50%)'>text</p>": False,
    "<p style='clip-path: inset(10%)'>text</p>": True,
    "<p style='clip-path: circle(0)'>text</p>": False,
    "<p style='clip-path: polygon(0 0, 0 0, 0 0)'>text</p>": False,
    "<p style='position: absolute; clip: rect(0, 0, 0, 0)'>text</p>": False,
    "<p style='clip: rect(0, 0, 0, 0)'>clip needs a positioned box</p>": True,
    "<div style='height: 20px; overflow: hidden'><p>a</p><p t style='margin-top: 99px'>cut</p></div>": False,
    "<div style='height: 20px; overflow: auto'><p>a</p><p t style='margin-top: 99px'>scroll</p></div>": True,
    "<div style='height: 0; overflow: hidden; position: relative'>"
    "<p t style='position: absolute; top: 0'>text</p></div>": False,
    "<div style='height: 0; overflow: hidden'><p t style='position: fixed; top: 0'>text</p></div>": True,
    "<details><summary>a</summary><p t>closed</p></details>": False,
    "<details open><summary>a</summary><p t>open</p></details>": True,
    "<br>": False,
}


async def test_box_is_visible_unless_something_hides_it(world: World) -> None:
    assert await world.run_each("tabwright.isVisible(element)", *BOXES) == BOXES


async def test_rendered_means_no_ancestor_removes_it(world: World) -> None:
    cases = {
        "<p>text</p>": True,
        "<p hidden>text</p>": False,
        "<div hidden><p t>text</p></div>": False,
        "<p style='visibility: hidden'>takes up space</p>": True,
        "<p style='opacity: 0'>takes up space</p>": True,
        "<details><summary>a</summary><p t>closed</p></details>": False,
    }
    assert await world.run_each("tabwright.isRendered(element)", *cases) == cases


async def test_negative_layer_is_behind_the_background_around_it(world: World) -> None:
    behind = "<p t style='position: relative; z-index: -1'>text</p>"
    cases = {
        f"<div style='background: #fff'>{behind}</div>": True,
        f"<div>{behind}</div>": False,
        f"<div style='background: #fff; isolation: isolate'>{behind}</div>": False,
        "<div style='background: #fff'><p t style='position: relative; z-index: 1'>text</p></div>": False,
    }
    read = "tabwright.isBehindBackground(element, tabwright.styleOf(element))"
    assert await world.run_each(read, *cases) == cases


@pytest.mark.parametrize(("style", "left"), [("", 0), ("direction: rtl", -1)])
async def test_page_can_be_scrolled_three_widths_in_reading_direction(
    world: World, style: str, left: int
) -> None:
    await world.show(f"<html style='{style}'><body><p>text</p>")
    region = await world.run("tabwright.rootView().flow")
    width = await world.run("document.documentElement.clientWidth")
    assert region["right"] - region["left"] == 3 * width
    assert (region["left"] < 0) == (left < 0)


async def test_caches_are_cleared_between_calls(world: World) -> None:
    await world.show("<p>text</p>")
    read = "tabwright.styleOf(document.querySelector('p')).color"
    await world.run(read)
    await world.run("document.querySelector('p').style.color = 'rgb(1, 2, 3)'")
    assert await world.run(read) == "rgb(1, 2, 3)"


async def test_children_and_parents_are_those_that_are_rendered(world: World) -> None:
    await world.show(
        """<div id=host><template shadowrootmode=open><header></header><slot name=a></slot><slot>none</slot>
        </template><b slot=a></b><i></i></div>"""
    )
    tags = "nodes => nodes.filter(node => node.nodeType === 1).map(node => node.localName)"
    host = "document.getElementById('host')"
    assert await world.run(f"({tags})(tabwright.childrenOf({host}))") == ["header", "slot", "slot"]
    slots = f"tabwright.shadowRootOf({host}).querySelectorAll('slot')"
    assert await world.run(f"({tags})(tabwright.childrenOf({slots}[0]))") == ["b"]
    assert await world.run(f"tabwright.parentOf({host}.querySelector('b')).localName") == "slot"
    assert await world.run(f"tabwright.parentOf({slots}[0]).id") == "host"
    assert await world.run("tabwright.parentOf(document.documentElement)") is None


async def test_slot_without_assigned_nodes_shows_its_own(world: World) -> None:
    await world.show("<div id=host><template shadowrootmode=open><slot><u></u></slot></template></div>")
    slot = "tabwright.shadowRootOf(document.getElementById('host')).querySelector('slot')"
    assert await world.run(f"tabwright.assignedNodesOf({slot})") is None
    assert await world.run(f"tabwright.childrenOf({slot})[0].localName") == "u"


async def test_focused_element_is_found_inside_shadow_roots(world: World) -> None:
    await world.show("<div id=host><template shadowrootmode=open><input name=inner></template></div>")
    await world.run("tabwright.shadowRootOf(document.getElementById('host')).querySelector('input').focus()")
    assert await world.run("tabwright.focusedElement().name") == "inner"


async def test_fields_cannot_hide_properties_of_their_form(world: World) -> None:
    await world.show("<form id=f class=real><input name=parentNode><input name=getAttribute></form>")
    form = "document.querySelector('form')"
    assert await world.run(f"tabwright.dom.parentNode({form}).localName") == "body"
    assert await world.run(f"tabwright.dom.attr({form}, 'class')") == "real"
