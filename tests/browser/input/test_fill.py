"""Filling form fields, in real Chromium."""

from datetime import date

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked, InvalidArgs
from tests.web import Web


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("control", "value", "expected"),
    [
        ("<input>", "Ada Lovelace", "Ada Lovelace"),
        ("<input value=before>", "after", "after"),
        ("<input value=before>", "", ""),
        ("<input type=password>", "pa$$ wörd", "••••"),
        ("<input type=email value=a@b.c>", "ada@example.com", "ada@example.com"),
        ("<input type=search>", "dogs & cats", "dogs & cats"),
        ("<input type=tel>", "+44 20", "+44 20"),
        ("<input type=url>", "https://example.com/", "https://example.com/"),
        ("<textarea>old</textarea>", "one\ntwo\n\nthree", "one\ntwo\n\nthree"),
        ("<input>", "日本語 😀", "日本語 😀"),
        ("<input type=number value=1>", "12.5", "12.5"),
        ("<input type=number>", 7, "7"),
        ("<input type=date>", "2026-05-31", "2026-05-31"),
        ("<input type=time>", "14:30", "14:30"),
        ("<input type=datetime-local>", "2026-05-31T14:30", "2026-05-31T14:30"),
        ("<input type=month>", "2026-05", "2026-05"),
        ("<input type=week>", "2026-W22", "2026-W22"),
        ("<input type=date value=2020-01-01>", "", ""),
        ("<input type=color>", "#FF8800", "#ff8800"),
        ("<input type=color>", "#f80", "#ff8800"),
        ("<input type=range min=0 max=10>", "7", "7"),
        ("<input type=range min=-1 max=1 step=0.25>", 0.5, "0.5"),
        ("<select><option value=r>Red<option value=g>Green</select>", "g", "Green"),
        ("<select><option value=r>Red<option value=g>Green</select>", "green", "Green"),
        ("<select><option value=r>Red<option value=g>Green</select>", "1", "Green"),
        ("<select multiple><option>A<option>B<option selected>C</select>", ["A", "B"], "A, B"),
        ("<input type=checkbox>", True, "true"),
        ("<input type=checkbox checked>", "off", "false"),
        ("<input type=radio>", "yes", "true"),
        ("<div contenteditable>old <b>text</b></div>", "new text", "new text"),
        ("<div contenteditable></div>", "", ""),
        ("<div contenteditable>old</div>", "", ""),
    ],
)
async def test_fill_sets_every_kind_of_field(
    tab: Tab, web: Web, control: str, value: str, expected: str
) -> None:
    await tab.goto(web.page(f"<form>{control}</form>"))
    assert await tab.element("form > *").fill(value) == expected


async def test_a_filled_secret_is_returned_masked(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input type=password>"))
    assert await tab.element("input").fill("pa$$ wörd") == "••••"
    assert await tab.element("input").value() == "••••"
    assert await tab.evaluate("document.querySelector('input').value") == "pa$$ wörd"


async def test_fill_fires_the_events_of_typing(tab: Tab, web: Web) -> None:
    await tab.goto(
        web.page(
            """<input value=old><script>
            const seen = [];
            for (const type of ["beforeinput", "input", "change", "focus"])
              document.querySelector("input").addEventListener(type, event =>
                seen.push([type, event.isTrusted, event.target.value]));
            </script>"""
        )
    )
    await tab.element("input").fill("new")
    await tab.element("input").blur()
    assert await tab.evaluate("seen") == [
        ["focus", True, "old"],
        ["beforeinput", True, "old"],
        ["input", True, "new"],
        ["change", True, "new"],
    ]


@pytest.mark.parametrize(
    ("control", "value"),
    [
        ("<input type=date>", "2026-05-31"),
        ("<select><option>A<option>B</select>", "B"),
        ("<input type=range>", "9"),
    ],
)
async def test_fields_that_are_not_typed_into_fire_one_change(
    tab: Tab, web: Web, control: str, value: str
) -> None:
    await tab.goto(
        web.page(
            f"""{control}<script>const seen = [];
            for (const type of ["input", "change"])
              document.body.addEventListener(type, event => seen.push([type, event.target.value]));</script>"""
        )
    )
    target = tab.element("body > :first-child")
    await target.fill(value)
    await target.fill(value)
    assert await tab.evaluate("seen") == [["input", value], ["change", value]]


# What React does: it remembers the last value that it knows of, and believes an input event only if it differs.
TRACKED = """<FIELD><output></output><script>
  const field = document.querySelector("input, textarea");
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
  let known = field.value;
  Object.defineProperty(field, "value", {
    get() { return native.get.call(this) },
    set(value) { known = String(value); native.set.call(this, value) },
  });
  let state = "";
  field.addEventListener("input", () => {
    const value = native.get.call(field);
    if (value === known) return;
    known = value;
    state = CHANGE;
    document.querySelector("output").textContent = state;
    field.value = state;
  });
</script>"""


def controlled(field: str, change: str) -> str:
    return TRACKED.replace("<FIELD>", field).replace("CHANGE", change)


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("<input>", "Ada"),
        ("<textarea></textarea>", "a\nb"),
        ("<input type=date>", "2026-05-31"),
        ("<input type=range>", "3"),
    ],
)
async def test_framework_controlled_fields_get_the_value(tab: Tab, web: Web, field: str, value: str) -> None:
    await tab.goto(web.page(controlled(field, "value")))
    assert await tab.element("input, textarea").fill(value) == value
    assert await tab.evaluate("state") == value


LOUD = "event.target.value = event.target.value.toUpperCase()"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    "page",
    [
        f'<input oninput="{LOUD}">',
        f"<input><script>addEventListener('input', event => {{ {LOUD} }})</script>",
        f"<input><script>addEventListener('input', event => queueMicrotask(() => {{ {LOUD} }}))</script>",
        f"<input oninput='{LOUD}; event.stopPropagation()'>",
        f"<input><script>document.addEventListener('input', event => {{ {LOUD}; event.stopPropagation() }}, true)</script>",
    ],
    ids=["on the field", "on the window", "in a microtask", "stopped", "stopped while capturing"],
)
async def test_fill_returns_the_value_as_the_page_reformats_it(tab: Tab, web: Web, page: str) -> None:
    await tab.goto(web.page(page))
    assert await tab.element("input").fill("ada") == "ADA"


async def test_fill_returns_the_value_as_a_framework_reformats_it(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(controlled("<input>", "value.replace(/(\\d{3})(\\d{3})/, '$1-$2')")))
    assert await tab.element("input").fill("555123") == "555-123"


async def test_a_value_that_the_page_rejects_is_blocked(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(controlled("<input aria-label=Name>", "''")))
    with pytest.raises(Blocked) as refusal:
        await tab.element("input").fill("Ada")
    assert str(refusal.value) == (
        'textbox "Name" did not accept the text: its value has not changed. '
        "Try to type it, or check whether the page requires something else first."
    )


async def test_fill_without_clear_appends(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input value=one><textarea>one</textarea><div contenteditable>one</div>"))
    for target in ("input", "textarea", "div"):
        assert await tab.element(target).fill(" two", clear=False) == "one two"


@pytest.mark.same_tab
@pytest.mark.parametrize("target", ["label", "text=Name", "#wrap", "my-field"])
async def test_fill_finds_the_field_of_a_label_or_wrapper(tab: Tab, web: Web, target: str) -> None:
    await tab.goto(
        web.page(
            """<label for=field>Name</label><div id=wrap><my-field></my-field></div><script>
            const root = document.querySelector("my-field").attachShadow({ mode: "open" });
            root.innerHTML = "<input>";
            document.querySelector("label").addEventListener("click", () => root.firstChild.focus());
            </script>"""
            if target in ("#wrap", "my-field")
            else "<label>Name <input></label>"
        )
    )
    assert await tab.element(target).fill("Ada") == "Ada"


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("control", "value", "message"),
    [
        ("<input type=number>", "ten", "spinbutton does not accept that value. Give a number such as 12.5."),
        (
            "<input type=date>",
            "31.5.2026",
            "date does not accept that value. Give a date such as 2026-05-31.",
        ),
        (
            "<input type=date>",
            "2026-02-30",
            "date does not accept that value. Give a date such as 2026-05-31.",
        ),
        ("<input type=time>", "2 pm", "inputtime does not accept that value. Give a time such as 14:30."),
        (
            "<input type=datetime-local>",
            "2026-05-31",
            "datetime does not accept that value. Give a date and time such as 2026-05-31T14:30.",
        ),
        ("<input type=month>", "May", "datetime does not accept that value. Give a month such as 2026-05."),
        ("<input type=week>", "22", "datetime does not accept that value. Give a week such as 2026-W22."),
        ("<input type=color>", "orange", "color does not accept that value. Give a colour such as #ff8800."),
        (
            "<input type=range min=1 max=5>",
            "9",
            "slider does not accept that value. Give a number from 1 to 5.",
        ),
        (
            "<input type=checkbox>",
            "maybe",
            "checkbox does not accept 'maybe'. Give true or false.",
        ),
        ("<input type=radio checked>", False, "radio cannot be unchecked. Check another one of its group."),
        ("<input type=file>", "x", 'button "Choose File" is a file input. Use upload.'),
        (
            "<button>Save</button>",
            "x",
            'button "Save" is not a form field. Choose the field itself.',
        ),
        ("<select><option>A<option>B</select>", ["A", "B"], "combobox accepts only one option. Give one."),
    ],
)
async def test_a_value_in_the_wrong_format_is_rejected_with_the_right_one(
    tab: Tab, web: Web, control: str, value: str, message: str
) -> None:
    await tab.goto(web.page(f"<form>{control}</form>"))
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("form > *").fill(value, timeout=0)
    assert str(refusal.value) == message


@pytest.mark.same_tab
@pytest.mark.parametrize(
    ("control", "message"),
    [
        ("<input readonly aria-label=Name>", 'textbox "Name" is read-only.'),
        ("<input disabled aria-label=Name>", 'textbox "Name" is disabled.'),
        (
            "<input maxlength=3 aria-label=Name>",
            'textbox "Name" accepts at most 3 characters, not 5.',
        ),
        (
            "<input style='display: none' aria-label=Name>",
            'textbox "Name" is not visible: its display is none.',
        ),
        ("<select disabled aria-label=Name><option>value</select>", 'combobox "Name" is disabled.'),
        ("<select aria-label=Name><option disabled>value</select>", 'option "value" is disabled.'),
    ],
)
async def test_a_field_that_cannot_be_filled_is_blocked(
    tab: Tab, web: Web, control: str, message: str
) -> None:
    await tab.goto(web.page(f"<form>{control}</form>"))
    with pytest.raises(Blocked) as refusal:
        await tab.element("form > *").fill("value", timeout=0)
    assert refusal.value.message == message


async def test_a_field_that_is_enabled_later_is_waited_for(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input disabled><script>setTimeout(() => document.forms, 0)</script>"))
    await tab.evaluate("setTimeout(() => document.querySelector('input').disabled = false, 150); 0")
    assert await tab.element("input").fill("Ada") == "Ada"


@pytest.mark.parametrize("site", ["url", "other_site"])
async def test_fields_in_frames_are_filled(tab: Tab, web: Web, site: str) -> None:
    web.page("<input><select><option>A<option>B</select><div contenteditable>x</div>", "/inner")
    await tab.goto(web.page(f"""<input id=outer><iframe src="{getattr(web, site)}/inner"></iframe>"""))
    assert await tab.element("input:not([id])").fill("inside") == "inside"
    assert await tab.element("[contenteditable]").fill("rich") == "rich"
    assert await tab.element("select").fill("B") == "B"
    assert await tab.element("#outer").fill("outside") == "outside"
    assert await tab.element("input:not([id])").value() == "inside"


async def test_a_fill_that_opens_a_dialog_is_done(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("""<input oninput="alert('typed')">"""))
    assert await tab.element("input").fill("Ada") == "Ada"
    assert tab.dialogs.open is not None
    await tab.dialogs.accept()
    assert await tab.element("input").value() == "Ada"


async def test_one_million_characters_are_filled_and_ten_million_rejected(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<textarea></textarea>"))
    text = "0123456789" * 50_000
    assert await tab.element("textarea").fill(text) == text
    with pytest.raises(InvalidArgs) as refusal:
        await tab.element("textarea").fill("x" * 10_000_000)
    assert str(refusal.value) == (
        "The text has 10,000,000 characters; at most 1,000,000 can be typed. "
        "Upload it as a file, or insert it with a script."
    )


async def test_today_is_filled_like_any_other_date(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<input type=date>"))
    today = date(2026, 5, 31).isoformat()
    assert await tab.element("input").fill(today) == today
