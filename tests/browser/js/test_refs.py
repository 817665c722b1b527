"""core/refs.js: numbers of nodes."""

from tests.browser.js.conftest import World


async def test_node_keeps_its_number(world: World) -> None:
    await world.show("<p>a</p><p>b</p>")
    read = "[...document.querySelectorAll('p')].map(tabwright.refOf)"
    first = await world.run(read)
    assert first == [1, 2]
    assert await world.run(f"document.body.prepend(document.createElement('p')), {read}") == [3, 1, 2]


async def test_counting_starts_at_the_number_that_python_gives(world: World) -> None:
    await world.show("<p>a</p><p>b</p>")
    assert await world.run("tabwright.countFrom(7, 'refOf', document.querySelector('p'))") == [7, 8]
    assert await world.run("tabwright.countFrom(3, 'refOf', document.querySelector('p'))") == [7, 8]
    assert await world.run("tabwright.countFrom(3, 'refOf', document.querySelectorAll('p')[1])") == [8, 9]


async def test_number_of_a_removed_node_names_nothing(world: World) -> None:
    await world.show("<p>a</p>")
    assert await world.run("tabwright.nodeOf(tabwright.refOf(document.querySelector('p'))).localName") == "p"
    assert await world.run("tabwright.isAlive(1)") is True
    assert await world.run("document.querySelector('p').remove(), tabwright.isAlive(1)") is False
    assert await world.run("tabwright.nodeOf(99)") is None


async def test_only_connected_nodes_are_listed(world: World) -> None:
    await world.show("<p>a</p><b>b</b>")
    await world.run("['p', 'b'].map(tag => tabwright.refOf(document.querySelector(tag)))")
    await world.run("document.querySelector('p').remove()")
    assert await world.run("[...tabwright.numbered()].map(([number, node]) => [number, node.localName])") == [
        [2, "b"]
    ]


async def test_number_can_be_handed_over(world: World) -> None:
    await world.show("<p>a</p><b>b</b>")
    await world.run("['p', 'b'].map(tag => tabwright.refOf(document.querySelector(tag)))")
    assert await world.run("tabwright.replaceNode(1, 2)") is True
    assert await world.run("[1, 2].map(number => tabwright.nodeOf(number).localName)") == ["b", "b"]
    assert await world.run("tabwright.replaceNode(1, 99)") is False


async def test_empty_boxes_and_custom_elements_may_hide_a_shadow_root(world: World) -> None:
    cases = {
        "<x-a style='display: block; height: 9px'>text</x-a>": True,
        "<div style='height: 9px'></div>": True,
        "<div style='height: 9px'>text</div>": False,
        "<div></div>": False,
        "<input>": False,
    }
    assert await world.run_each("tabwright.mayHaveClosedRoot(element)", *cases) == cases
