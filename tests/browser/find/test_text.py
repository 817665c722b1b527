"""What a text stands for: controls by name, fields by label, also through shadow roots."""

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import InvalidArgs
from tests.web import Web

# A text field as component libraries build it: the label is drawn twice, in another shadow root than the input.
FIELD = """<my-text-field></my-text-field><script>
  customElements.define("my-field", class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: "open" }).innerHTML =
        `<span>Name</span><span style="position: absolute; top: 50px">Name</span><slot></slot>`;
    }
  });
  customElements.define("my-text-field", class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: "open" }).innerHTML = `<my-field><input aria-label=Name></my-field>`;
    }
  });
</script>"""


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "page",
    [
        "<p>Save</p><button id=meant>Save</button>",
        "<h2>Save</h2><a id=meant href=#>Save</a><p>Save</p>",
        "<p>Save</p><button id=meant aria-label=Save>x</button>",
        "<p>Save</p><button style='display: none'>Save</button><div role=button tabindex=0 id=meant>Save</div>",
        "<p>Save</p><input id=meant placeholder=Save>",
        "<button style='display: none'>Save</button><p id=meant>Save</p>",
        "<p id=meant>Save</p><p>Save all</p>",
        "<button id=meant aria-label=Save>x</button><p>Saved</p>",
        "<span id=l>Save</span><p>Save</p><input id=meant aria-labelledby=l>",
    ],
)
async def test_a_text_means_the_control_with_that_name(tab: Tab, web: Web, page: str) -> None:
    await tab.goto(web.page(page))
    assert await tab.element("text=Save").attribute("id", timeout=0) == "meant"


async def test_two_controls_with_one_name_are_ambiguous(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<p>Save</p><button>Save</button><button>Save</button>"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("text=Save").click(timeout=0)
    assert str(refusal.value) == (
        "text=Save matches 2 elements. "
        """Choose one: @e1 button "Save", @e2 button "Save", or add ' >> nth=0'."""
    )


async def test_a_control_in_one_frame_is_preferred_to_a_text_in_it(tab: Tab, web: Web) -> None:
    web.page("<p>Save</p><button id=meant>Save</button>", "/inner")
    await tab.goto(web.page(f"<iframe src={web.url}/inner></iframe>"))
    assert await tab.element("text=Save").attribute("id") == "meant"


@pytest.mark.same_tab
@pytest.mark.parametrize("target", ["text=Name", "label=Name", "my-text-field", "my-field"])
async def test_a_field_in_nested_shadow_roots_is_filled(tab: Tab, web: Web, target: str) -> None:
    await tab.goto(web.page(FIELD))
    assert await tab.element(target).fill("Ada", timeout=0) == "Ada"


@pytest.mark.same_tab
@pytest.mark.parametrize("target", ["text=Mail", "#caption", "my-box"])
async def test_a_caption_leads_to_the_field_that_it_names(tab: Tab, web: Web, target: str) -> None:
    await tab.goto(
        web.page(
            """<my-box><div id=caption><b>Mail</b></div><div><input type=hidden><input aria-labelledby=caption>
            <input style="display: none"></div></my-box>"""
        )
    )
    assert await tab.element(target).fill("ada@example.com", timeout=0) == "ada@example.com"


async def test_typing_goes_into_the_field_of_a_custom_element(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(FIELD))
    await tab.element("my-text-field").type("Ada")
    assert await tab.element("my-text-field >> css=input").value() == "Ada"


async def test_a_text_that_only_a_placeholder_has_does_not_keep_a_wait(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input placeholder=Loading><p>Loading</p>"))
    await tab.evaluate("setTimeout(() => document.querySelector('p').remove(), 50); 0")
    await tab.waits.element("text=Loading", "hidden", timeout=30)
