"""core/names.js: the accessible name and description of an element, and the source of the name."""

from tests.browser.js.conftest import World

# HTML: (name, its source)
NAMES = {
    "<button>Save</button>": ("Save", "content"),
    "<button> Save <b>all</b>\n files </button>": ("Save all files", "content"),
    "<button><span>a</span><span>b</span></button>": ("ab", "content"),
    "<button><div>a</div><div>b</div></button>": ("a b", "content"),
    "<button>a<br>b</button>": ("a b", "content"),
    "<button>Save<span hidden>d</span></button>": ("Save", "content"),
    "<button>Save<span aria-hidden=true>d</span></button>": ("Save", "content"),
    "<button>Save<span style='visibility: hidden'>d</span></button>": ("Save", "content"),
    "<button>Save<script>1</script></button>": ("Save", "content"),
    "<button><img alt=Save></button>": ("Save", "content"),
    "<button aria-label=Keep>Save</button>": ("Keep", "aria"),
    "<button aria-label=' '>Save</button>": ("Save", "content"),
    "<button title=Keep>Save</button>": ("Save", "content"),
    "<button title=Keep></button>": ("Keep", "title"),
    "<button style='text-transform: uppercase'>Save</button>": ("SAVE", "content"),
    "<b id=a1>First</b><b id=a2>second</b><button t aria-labelledby='a1 a2'>x</button>": (
        "First second",
        "aria",
    ),
    "<b id=b1 hidden>Hidden label</b><button t aria-labelledby=b1>x</button>": ("Hidden label", "aria"),
    "<button aria-labelledby=missing>Save</button>": ("Save", "content"),
    "<label>Name <input t></label>": ("Name", "label"),
    "<label for=c1>Name</label><input id=c1 t>": ("Name", "label"),
    "<label for=d1>One</label><label for=d1>two</label><input id=d1 t>": ("One two", "label"),
    "<label>At most <input value=5 t> items</label>": ("At most items", "label"),
    "<label><input type=checkbox t> At most <input value=5> items</label>": ("At most 5 items", "label"),
    "<label><input type=checkbox t> I read <a href=/>the terms</a></label>": ("I read the terms", "label"),
    "<input placeholder=Search>": ("Search", "placeholder"),
    "<input placeholder=Search title=Find>": ("Find", "title"),
    "<input value=typed>": ("", ""),
    "<input type=submit>": ("Submit", "native"),
    "<input type=submit value=Go>": ("Go", "native"),
    "<input type=reset>": ("Reset", "native"),
    "<input type=image alt=Buy>": ("Buy", "native"),
    "<input type=file>": ("Choose File", "native"),
    "<input type=file multiple>": ("Choose Files", "native"),
    "<img alt=Cat>": ("Cat", "native"),
    "<img title=Cat>": ("Cat", "title"),
    "<fieldset><legend>Address</legend></fieldset>": ("Address", "native"),
    "<table><caption>Prices</caption><tr><td>1</table>": ("Prices", "native"),
    "<svg><title>Logo</title><circle/></svg>": ("Logo", "native"),
    "<p>text is not a name</p>": ("", ""),
    "<p aria-label=x>text</p>": ("x", "aria"),
    "<p title=x>text</p>": ("", ""),
    "<div aria-label=x>no role</div>": ("x", "aria"),
    "<h2>Go <input value=now></h2>": ("Go now", "content"),
    "<h2>Go <input type=password value=now></h2>": ("Go", "content"),
    "<h2>Choose <select><option>a<option selected>b</select></h2>": ("Choose b", "content"),
}


async def test_name_and_its_source(world: World) -> None:
    read = "(({ text, from }) => [text, from])(tabwright.nameOf(element))"
    found = await world.run_each(read, *NAMES)
    assert {html: tuple(name) for html, name in found.items()} == NAMES


async def test_name_includes_generated_text(world: World) -> None:
    style = """<style>.new::before { content: "New " } .star::after { content: "★" / "starred" }
        .icon::before { content: "\\e900" } .quoted::after { content: attr(data-more) }</style>"""
    cases = {
        "<button class=new>Save</button>": "New Save",
        "<button class=star>Save</button>": "Save starred",
        "<button class=icon>Save</button>": "Save",
        "<button class=quoted data-more=!>Save</button>": "Save!",
    }
    assert await world.run_each("tabwright.nameOf(element).text", *cases, head=style) == cases


async def test_name_of_a_tree_item_leaves_out_its_children(world: World) -> None:
    html = "<ul role=tree><li role=treeitem t>Fruit<ul role=group><li role=treeitem>Apple</ul></ul>"
    assert await world.run_each("tabwright.nameOf(element).text", html) == {html: "Fruit"}


async def test_name_crosses_slots_and_shadow_roots(world: World) -> None:
    html = "<button><x-a><template shadowrootmode=open>in <slot></slot></template>out</x-a></button>"
    assert await world.run_each("tabwright.nameOf(element).text", html) == {html: "in out"}


async def test_labels_that_name_each_other_end(world: World) -> None:
    html = "<button id=one aria-labelledby=two>a</button><button id=two aria-labelledby=one>b</button>"
    assert await world.run_each("tabwright.nameOf(element).text", html) == {html: "b"}


async def test_description_is_visible_text_beyond_the_name(world: World) -> None:
    cases = {
        "<button aria-describedby=a>Send</button><p id=a>by post</p>": "by post",
        "<button aria-describedby=b>Send</button><p id=b hidden>by post</p>": "",
        "<button aria-describedby=c>Send by post</button><p id=c>by post</p>": "",
        "<button title='by post'>Send</button>": "",
        "<button title='by post'>→</button>": "by post",
    }
    describe = "tabwright.descriptionOf(element, tabwright.nameOf(element).text)"
    assert await world.run_each(describe, *cases) == cases


async def test_text_transform_is_applied(world: World) -> None:
    cases = {
        ("none", "ab cd"): "ab cd",
        ("uppercase", "ab cd"): "AB CD",
        ("lowercase", "AB Cd"): "ab cd",
        ("capitalize", "ab cd-ef"): "Ab Cd-Ef",
    }
    for (transform, text), shown in cases.items():
        assert await world.run(f"tabwright.transformText({text!r}, {transform!r})") == shown
