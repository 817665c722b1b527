"""core/roles.js: the role of an element."""

from tests.browser.js.conftest import World

BY_TAG = {
    "<button>x</button>": "button",
    "<a href=/>x</a>": "link",
    "<a>x</a>": "",
    "<a style='cursor: pointer'>x</a>": "link",
    "<a onclick=1>x</a>": "link",
    "<h3>x</h3>": "heading",
    "<p>x</p>": "paragraph",
    "<p style='display: flex'>x</p>": "",
    "<ul t><li>x</ul>": "list",
    "<ul><li t>x</ul>": "listitem",
    "<div>x</div>": "",
    "<div contenteditable>x</div>": "textbox",
    "<div contenteditable=false>x</div>": "",
    "<nav>x</nav>": "navigation",
    "<main>x</main>": "main",
    "<dialog open>x</dialog>": "dialog",
    "<fieldset>x</fieldset>": "group",
    "<output>x</output>": "status",
    "<details><summary t>x</summary>y</details>": "summary",
    "<summary>not in a details element</summary>": "",
    "<label>x</label>": "label",
    "<label><input type=checkbox> x</label>": "",
    "<abbr title=x>y</abbr>": "abbr",
    "<abbr>y</abbr>": "",
    "<svg><circle/></svg>": "image",
    "<svg><text>x</text></svg>": "svg",
    "<svg></svg>": "",
    "<math><mi>x</mi></math>": "math",
}

INPUTS = {
    "<input>": "textbox",
    "<input type=text>": "textbox",
    "<input type=' EMAIL '>": "textbox",
    "<input type=unknown>": "textbox",
    "<input type=password>": "textbox",
    "<input type=search>": "searchbox",
    "<input list=words><datalist id=words><option>x</datalist>": "combobox",
    "<input type=checkbox>": "checkbox",
    "<input type=radio>": "radio",
    "<input type=range>": "slider",
    "<input type=number>": "spinbutton",
    "<input type=date>": "date",
    "<input type=time>": "inputtime",
    "<input type=datetime-local>": "datetime",
    "<input type=color>": "color",
    "<input type=file>": "button",
    "<input type=submit>": "button",
    "<input type=image>": "button",
    "<textarea></textarea>": "textbox",
    "<select><option>x</select>": "combobox",
    "<select multiple><option>x</select>": "listbox",
    "<select size=3><option>x</select>": "listbox",
    "<select size=1><option>x</select>": "combobox",
}

LANDMARKS = {
    "<header>x</header>": "banner",
    "<article><header t>x</header></article>": "sectionheader",
    "<div role=region aria-label=y><footer t>x</footer></div>": "sectionfooter",
    "<footer>x</footer>": "contentinfo",
    "<section>x</section>": "",
    "<section aria-label=News>x</section>": "region",
    "<section aria-label=' '>x</section>": "",
    "<section title=News>x</section>": "region",
    "<section aria-labelledby=missing>x</section>": "",
    "<section aria-labelledby=title><b id=title>x</b></section>": "region",
    "<aside>x</aside>": "complementary",
    "<section><aside t>x</aside></section>": "",
    "<section><aside t aria-label=y>x</aside></section>": "complementary",
    "<form>x</form>": "form",
}

IMAGES = {
    "<img alt=cat>": "image",
    "<img>": "image",
    "<img alt=''>": "none",
    "<img alt='' title=cat>": "image",
    "<img alt='' aria-label=cat>": "image",
}

EXPLICIT = {
    "<div role=button>x</div>": "button",
    "<div role=' BUTTON '>x</div>": "button",
    "<div role='nonsense button'>x</div>": "button",
    "<div role=nonsense>x</div>": "",
    "<button role=nonsense>x</button>": "button",
    "<div role=img>x</div>": "image",
    "<div role=directory>x</div>": "list",
    "<button role=generic>x</button>": "",
    "<div role=region>x</div>": "",
    "<div role=region aria-label=y>x</div>": "region",
    "<h2 role=none>x</h2>": "none",
    "<h2 role=presentation>x</h2>": "none",
    "<button role=none>focusable</button>": "button",
    "<h2 role=none aria-label=y>x</h2>": "heading",
    "<div role=listitem>x</div>": "",
    "<div role=list><div role=listitem t>x</div></div>": "listitem",
    "<div role=list><div><div role=listitem t>x</div></div></div>": "listitem",
    "<div role=option>x</div>": "",
    "<div role=listbox><div role=option t>x</div></div>": "option",
    "<ul role=none><li t>x</ul>": "none",
}

TABLES = {
    "<table t><tr><th>a<tr><td>1</table>": "table",
    "<table><tr t><th>a<tr><td>1</table>": "row",
    "<table><tr><th t>a<tr><td>1</table>": "columnheader",
    "<table><tr><th t>a<td>1</table>": "rowheader",
    "<table><tr><th t scope=col>a<td>1</table>": "columnheader",
    "<table><tr><th>a<tr><td t>1</table>": "cell",
    "<table role=grid><tr><th>a<tr><td t>1</table>": "gridcell",
    "<table role=none><tr><th>a<tr><td t>1</table>": "",
    "<table><thead t><tr><td>a</table>": "rowgroup",
    "<table t><caption>x</caption><tr><td>1</table>": "table",
    "<table t border=1><tr><td>1<td>2</table>": "table",
    "<table t><tr><td>for layout<td>only</table>": "",
    "<table><tr><td t>for layout<td>only</table>": "",
    "<table t><tr><td>one cell</table>": "",
}


async def check(world: World, cases: dict[str, str]) -> None:
    assert await world.run_each("tabwright.roleOf(element)", *cases) == cases


async def test_role_follows_from_the_tag(world: World) -> None:
    await check(world, BY_TAG)


async def test_role_of_a_control_follows_from_its_type(world: World) -> None:
    await check(world, INPUTS)


async def test_role_of_a_section_depends_on_its_place_and_name(world: World) -> None:
    await check(world, LANDMARKS)


async def test_image_with_an_empty_alternative_has_no_role(world: World) -> None:
    await check(world, IMAGES)


async def test_role_attribute_wins_where_it_is_valid(world: World) -> None:
    await check(world, EXPLICIT)


async def test_only_data_tables_have_table_roles(world: World) -> None:
    await check(world, TABLES)


async def test_table_with_zebra_stripes_is_a_data_table(world: World) -> None:
    rows = "".join(f"<tr style='background: {('#eee', '#fff')[at % 2]}'><td>{at}<td>x" for at in range(6))
    cases = {f"<table>{rows}</table>": "table", f"<table>{rows.replace('#eee', '#fff')}</table>": ""}
    await check(world, cases)


async def test_keyboard_reaches_controls_links_and_tabindex(world: World) -> None:
    cases = {
        "<button>x</button>": True,
        "<button disabled>x</button>": False,
        "<fieldset disabled><input t></fieldset>": False,
        "<a href=/>x</a>": True,
        "<a>x</a>": False,
        "<input type=hidden>": False,
        "<div>x</div>": False,
        "<div tabindex=0>x</div>": True,
        "<div tabindex=-1>x</div>": True,
        "<div tabindex=x>x</div>": False,
        "<div contenteditable>x</div>": True,
        "<details><summary t>x</summary></details>": True,
        "<iframe></iframe>": True,
    }
    assert await world.run_each("tabwright.isFocusable(element)", *cases) == cases
