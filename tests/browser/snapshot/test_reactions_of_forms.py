"""Forms: how small pages react, and what the report of each step says."""

import pytest

from tabwright.browser.tab import Tab
from tests.browser.snapshot.steps import Step, report_of
from tests.web import Web

REACTIONS = [
    pytest.param(
        """<form onsubmit="event.preventDefault(); const bad = !mail.value.includes('@'); mail.setAttribute('aria-invalid', bad); err.textContent = bad ? 'Enter a valid address' : ''">
        <label>Mail <input id=mail aria-describedby=err></label><p id=err></p>
        <button>Send</button></form>""",
        [
            (
                "click button",
                [
                    '~ @e2: textbox "Mail" (invalid, description: "Enter a valid address")',
                ],
            ),
            (
                "fill input=a@b.c",
                ['~ @e2: textbox "Mail" = "a@b.c" (invalid, focused, description: "Enter a valid address")'],
            ),
            (
                "click button",
                [
                    '~ @e2: textbox "Mail" = "a@b.c" (no longer invalid)',
                    '- "Enter a valid address"',
                ],
            ),
        ],
        id="validation",
    ),
    pytest.param(
        """<form onsubmit="event.preventDefault()"><label>Age <input required type=number max=120></label>
        <button>Send</button></form>""",
        [
            (
                "click button",
                [
                    'The form was not sent: @e2: spinbutton "Age" (required, invalid, focused): "Please fill out this field."'
                ],
            ),
            ("fill input=130", ['~ @e2: spinbutton "Age" = "130" (required, invalid, focused)']),
            (
                "click button",
                [
                    'The form was not sent: @e2: spinbutton "Age" = "130" (required, invalid, focused): "Value must be less than or equal to 120."'
                ],
            ),
        ],
        id="native validation",
    ),
    pytest.param(
        """<form onsubmit="event.preventDefault(); e.innerHTML='<h2>There is a problem</h2><a href=#n>Enter your name</a>'; n.setAttribute('aria-invalid','true')"><div id=e role=alert></div><label>Name <input id=n></label><button>Save</button></form>""",
        [
            (
                "click button",
                [
                    '+ alert: @e4: heading "There is a problem" (level: 2)',
                    '+ @e5: link "Enter your name" → #n',
                    '~ @e2: textbox "Name" (invalid)',
                ],
            ),
        ],
        id="error summary",
    ),
    pytest.param(
        """<label>Price <input onblur="this.value='$'+(+this.value).toFixed(2)"></label>
        <button>Next</button>""",
        [
            ("fill input=5", ['~ @e1: textbox "Price" = "5" (focused)']),
            ("click button", ['~ @e1: textbox "Price" = "$5.00"']),
        ],
        id="format on blur",
    ),
    pytest.param(
        """<label>Country <select onchange="c.innerHTML=this.value=='France'?'<option>Paris<option>Lyon':'<option>Rome<option>Milan'">
        <option>Italy<option>France</select></label><label>City <select id=c>
        <option>Rome<option>Milan</select></label>""",
        [
            (
                "select select >> nth=0=France",
                [
                    '~ @e1: combobox "Country" = "France" (focused, 2 options)',
                    '~ @e2: combobox "City" = "Paris" (2 options) offers "Paris", "Lyon"',
                ],
            ),
        ],
        id="dependent select",
    ),
    pytest.param(
        """<label><input type=checkbox onchange="b.disabled=!this.checked">I agree</label>
        <button id=b disabled>Continue</button>""",
        [
            (
                "click input",
                [
                    '~ @e1: checkbox "I agree" (checked, focused)',
                    '~ @e2: button "Continue" (no longer disabled)',
                ],
            ),
            (
                "click input",
                ['~ @e1: checkbox "I agree" (unchecked, focused)', '~ @e2: button "Continue" (disabled)'],
            ),
        ],
        id="enable",
    ),
    pytest.param(
        """<label><input type=radio name=r checked>Card</label><label>
        <input type=radio name=r>Cash</label>""",
        [
            (
                "click text=Cash",
                ['~ @e2: radio "Cash" (checked, focused)', '~ @e1: radio "Card" (unchecked)'],
            ),
        ],
        id="radio",
    ),
    pytest.param(
        """<label>
        <input type=checkbox onchange="document.querySelectorAll('li input').forEach(i=>i.checked=this.checked)">All</label>
        <ul><li><label><input type=checkbox>A</label><li><label><input type=checkbox>B</label></ul>""",
        [
            (
                "click text=All",
                [
                    '~ @e1: checkbox "All" (checked, focused)',
                    '~ @e2: checkbox "A" (checked)',
                    '~ @e3: checkbox "B" (checked)',
                ],
            ),
        ],
        id="select all",
    ),
    pytest.param(
        """<label>Qty <input id=q value=1></label><button onclick="q.value++">+</button>
        <p id=t>Total: $5</p>
        <script>document.querySelector('button').addEventListener('click',()=>t.textContent='Total: $'+q.value*5)</script>""",
        [
            (
                "click button",
                ['~ @e1: textbox "Qty" = "2"', '~ "Total: $10"'],
            ),
        ],
        id="stepper",
    ),
    pytest.param(
        """<label>Count <input id=t value=1></label><button onclick="t.value=+t.value+1">More</button>""",
        [
            ("click button", ['~ @e1: textbox "Count" = "2"']),
            ("click button", ['~ @e1: textbox "Count" = "3"']),
        ],
        id="value by script",
    ),
    pytest.param(
        """<label>Password <input type=password></label>
        <button onclick="document.querySelector('input').type='text'">Show</button>""",
        [
            ("fill input=abc", ['~ @e1: textbox "Password" = "••••" (focused)']),
            ("fill input=abd", ['~ @e1: textbox "Password" = "••••" (focused)']),
        ],
        id="password",
    ),
    pytest.param(
        """<label>Volume <input type=range oninput="o.value=this.value"></label><output id=o>50</output>""",
        [
            ("fill input=70", ['~ @e1: slider "Volume" = "70" (focused)']),
        ],
        id="slider",
    ),
    pytest.param(
        """<div contenteditable aria-label=Note>Hi</div>""",
        [
            ("fill div=Hello", ['~ @e1: textbox "Note" = "Hello" (focused)']),
        ],
        id="contenteditable",
    ),
    pytest.param(
        """<span id=s tabindex=0 ondblclick="" onclick="const i=document.createElement('input');i.value=this.textContent;i.setAttribute('aria-label','Title');this.replaceWith(i);i.focus()">Old title</span>""",
        [
            (
                "click span",
                ['+ @e2: textbox "Title" = "Old title" (focused)', '- @e1: clickable "Old title"'],
            ),
            ("fill input=New", ['~ @e2: textbox "Title" = "New" (focused)']),
        ],
        id="inline edit",
    ),
    pytest.param(
        """<input role=combobox aria-label=City aria-expanded=false oninput="const hits=['Paris','Parma','Prague'].filter(c=>c.startsWith(this.value)); hits_.innerHTML=hits.map(c=>`<li role=option>${c}</li>`).join(''); this.setAttribute('aria-expanded', !!hits.length)">
        <ul id=hits_ role=listbox></ul>""",
        [
            (
                "fill input=Pa",
                [
                    '~ @e1: combobox "City" = "Pa" (expanded, focused)',
                    "+ @e4: listbox",
                    '+ @e2: option "Paris"',
                    '+ @e3: option "Parma"',
                ],
            ),
            (
                "fill input=Par",
                [
                    '~ @e1: combobox "City" = "Par" (expanded, focused)',
                    '+ @e5: option "Paris"',
                    '+ @e6: option "Parma"',
                ],
            ),
            ("fill input=x", ['~ @e1: combobox "City" = "x" (collapsed, focused)', "- @e4: listbox"]),
        ],
        id="autocomplete",
    ),
    pytest.param(
        """<button role=combobox aria-expanded=false aria-label=Size onclick="this.setAttribute('aria-expanded',true);l.hidden=false">M</button>
        <ul id=l role=listbox hidden>
        <li role=option onclick="document.querySelector('button').textContent='L'; l.hidden=true">L</li>
        <li role=option>M</li></ul>""",
        [
            (
                "click button",
                [
                    '~ @e1: combobox "Size" (expanded, focused)',
                    "+ @e2: listbox",
                    '+ @e3: option "L"',
                    '+ @e4: option "M"',
                ],
            ),
            ("click li >> nth=0", ['~ "L"', "- @e2: listbox"]),
        ],
        id="combobox aria",
    ),
    pytest.param(
        """<style>.m{display:none} body:has(:checked) .m{display:block}</style><label>
        <input type=checkbox>Gift</label><div class=m><label>Message <input></label></div>""",
        [
            ("click text=Gift", ['~ @e1: checkbox "Gift" (checked, focused)', '+ @e2: textbox "Message"']),
            ("click text=Gift", ['~ @e1: checkbox "Gift" (unchecked, focused)', '- @e2: textbox "Message"']),
        ],
        id="has checked",
    ),
    pytest.param(
        """<style>.s{display:none} form:focus-within .s{display:block}</style><form>
        <input aria-label=Search><div class=s>Recent: <a href=/x>shoes</a></div></form>""",
        [
            (
                "click input",
                ['+ "Recent:"', '+ @e3: link "shoes" → /x'],
            ),
        ],
        id="focus within",
    ),
    pytest.param(
        """<button onclick="n.textContent='2 likes'; setTimeout(()=>n.textContent='1 like',10)">Like</button>
        <p id=n>1 like</p>""",
        [
            ("click button", ['Focus: @e1: button "Like" (focused)']),
            ("click button", ["Nothing changed."]),
        ],
        id="optimistic revert",
    ),
    pytest.param(
        """<button onclick="this.disabled=true;this.textContent='Saving…';setTimeout(()=>{this.disabled=false;this.textContent='Saved'},20)">Save</button>""",
        [
            ("click button", ['~ @e1: button "Saved"']),
        ],
        id="spinner",
    ),
    pytest.param(
        """<p>one</p><p>two</p><p id=p>Cart: 0</p>
        <button onclick="document.body.classList.toggle('busy'); p.textContent='Card declined '+n++">Pay</button>
        <script>let n=1</script>""",
        [
            ("click button", ['~ "Card declined 1"']),
            ("click button", ['~ "Card declined 2"']),
        ],
        id="busy ancestor",
    ),
]


@pytest.mark.parametrize(("page", "steps"), REACTIONS)
async def test_the_report_says_what_changed(tab: Tab, web: Web, page: str, steps: list[Step]) -> None:
    await tab.goto(web.page(f"<!doctype html>{page}", "/page"))
    await tab.snapshot()
    for step, report in steps:
        assert (step, await report_of(tab, step)) == (step, report)
