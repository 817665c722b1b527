"""core/states.js: the states of an element, and which values are secret."""

import pytest

from tests.browser.js.conftest import World

# HTML: its states as `key=value`
STATES = {
    "<h2>x</h2>": ["level=2"],
    "<div role=heading aria-level=5>x</div>": ["level=5"],
    "<div role=heading>x</div>": ["level=2"],
    "<button>x</button>": [],
    "<button disabled>x</button>": ["disabled"],
    "<fieldset disabled><button t>x</button></fieldset>": ["disabled"],
    "<button aria-pressed=true>x</button>": ["pressed=true"],
    "<button aria-pressed=nonsense>x</button>": [],
    "<button aria-expanded=false>x</button>": ["expanded=false"],
    "<button aria-haspopup=true>x</button>": ["haspopup=menu"],
    "<button aria-haspopup=listbox>x</button>": ["haspopup=listbox"],
    "<button aria-haspopup=false>x</button>": [],
    "<input type=checkbox>": ["checked=false"],
    "<input type=checkbox checked>": ["checked=true"],
    "<div role=switch aria-checked=mixed>x</div>": ["checked=mixed"],
    "<input value=Ada required>": ["value=Ada", "required"],
    "<input readonly value=x>": ["value=x", "readonly"],
    "<input type=email value=wrong>": ["value=wrong", "invalid", "looks like=email"],
    "<input aria-invalid=true>": ["invalid"],
    "<input type=email value=wrong aria-invalid=false>": ["value=wrong", "looks like=email"],
    "<textarea>two words</textarea>": ["value=two words", "multiline"],
    "<select><option>S<option selected>M</select>": ["value=M", "options=2"],
    "<select multiple><option t selected>S</select>": ["selected"],
    "<input type=range value=70>": ["value=70"],
    "<progress value=0.5></progress>": ["value=0.5"],
    "<progress></progress>": [],
    "<div role=slider aria-valuenow=3 aria-valuetext=three>x</div>": ["value=three"],
    "<details open><summary t>x</summary></details>": ["expanded=true"],
    "<a href='https://x.test/a b' t>x</a>": ["href=https://x.test/a%20b"],
    "<a href='javascript:alert()'>x</a>": [],
    "<a href=https://x.test/ aria-current=page>x</a>": ["current=page", "href=https://x.test/"],
    "<a href=https://x.test/ aria-current=true>x</a>": ["current", "href=https://x.test/"],
    "<input placeholder=hint aria-label=Name>": ["placeholder=hint"],
    "<input placeholder=hint>": [],
    "<div role=tab aria-selected=true>x</div>": ["selected"],
    "<p title=x>structure has no states</p>": None,
}


async def test_states_of_an_element(world: World) -> None:
    read = (
        "tabwright.statesOf(element, tabwright.roleOf(element), tabwright.nameOf(element).text, false, false)"
    )
    assert await world.run_each(read, *STATES) == STATES


async def test_focus_is_a_state_of_every_role(world: World) -> None:
    cases = {"<p>x</p>": ["focused"], "<button>x</button>": ["focused"], "<h1>x</h1>": ["level=1", "focused"]}
    read = "tabwright.statesOf(element, tabwright.roleOf(element), '', false, true)"
    assert await world.run_each(read, *cases) == cases


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("/plain/path?a=1#b", "{origin}/plain/path?a=1#b"),
        ("#part", "{page}#part"),
        ("/a/../b", "{origin}/b"),
        ("//other.test/x", "http://other.test/x"),
        ("/caf\u00e9", "{origin}/caf%C3%A9"),
        ("mailto:a@b.test", "mailto:a@b.test"),
        ("data:text/plain," + "x" * 100, "data:text/plain," + "x" * 24 + "…"),
        ("https://x.test/" + "y" * 3000, "https://x.test/" + "y" * 1985 + "…"),
    ],
)
async def test_address_of_a_link_is_resolved_and_cut(world: World, address: str, shown: str) -> None:
    await world.show(f"<a href='{address}'>x</a>")
    origin, page = await world.run("[location.origin, location.href]")
    states = await world.run("tabwright.statesOf(document.querySelector('a'), 'link', 'x', false, false)")
    assert states == [f"href={shown.format(origin=origin, page=page)}"]


async def test_secret_fields_are_masked_at_one_length(world: World) -> None:
    cases = {
        "<input type=password value=x>": "••••",
        "<input type=password value=long-secret>": "••••",
        "<input type=password>": "",
        "<input autocomplete=current-password value=shown>": "••••",
        "<input autocomplete='section-a one-time-code' value=123456>": "••••",
        "<input role=combobox autocomplete=new-password value=Lisbon>": "Lisbon",
        "<input role=combobox autocomplete=cc-number value=4111>": "••••",
        "<input role=combobox type=password autocomplete=new-password value=x>": "••••",
        "<input autocomplete=cc-number value=4111>": "••••",
        "<input style='-webkit-text-security: disc' value=dots>": "••••",
        "<input autocomplete=email value=a@b.test>": "a@b.test",
        "<textarea>plain</textarea>": "plain",
    }
    assert await world.run_each("tabwright.maskSecret(element, element.value)", *cases) == cases
