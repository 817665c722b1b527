"""Widgets: how small pages react, and what the report of each step says."""

import pytest

from tabwright.browser.tab import Tab
from tests.browser.snapshot.steps import Step, report_of
from tests.web import Web

REACTIONS = [
    pytest.param(
        """<div id=page><div><button aria-label="I agree"></button><label>I agree</label></div>
        <div><label>Wi-Fi</label></div><table><tr><td>Ada<td>1815</table>
        <button onclick="page.ariaHidden = true; box.hidden = false">Edit</button></div>
        <div id=box role=dialog aria-label=Profile hidden>
        <button onclick="page.ariaHidden = null; box.hidden = true">Close</button></div>""",
        [
            (
                "click text=Edit",
                [
                    '+ @e3: dialog "Profile"',
                    '+ @e4: button "Close"',
                ],
            ),
            ("click text=Close", ['- @e3: dialog "Profile"']),
        ],
        id="dialog that shuts off the page",
    ),
    pytest.param(
        """<button aria-pressed=false onclick="this.setAttribute('aria-pressed', this.getAttribute('aria-pressed') == 'false')">Mute</button>""",
        [
            ("click button", ['~ @e1: button "Mute" (pressed, focused)']),
            ("click button", ['~ @e1: button "Mute" (not pressed, focused)']),
        ],
        id="toggle button",
    ),
    pytest.param(
        """<button onclick="toast.textContent='Saved'; toast.hidden=false">Save</button>
        <div id=toast role=status hidden></div>""",
        [
            ("click button", ['+ status: "Saved"']),
        ],
        id="toast",
    ),
    pytest.param(
        """<button onclick="r.textContent='3 matches found'">Find</button>
        <div id=r aria-live=polite></div>""",
        [
            ("click button", ['+ "3 matches found"']),
        ],
        id="aria-live",
    ),
    pytest.param(
        """<div role=tablist><button role=tab aria-selected=true onclick="show(0)">Profile</button>
        <button role=tab aria-selected=false onclick="show(1)">Billing</button></div>
        <div role=tabpanel>Your name</div>
        <div role=tabpanel hidden>Your cards <a href=/add>Add card</a></div>
        <script>function show(i){document.querySelectorAll('[role=tab]').forEach((t,k)=>t.setAttribute('aria-selected',k==i));document.querySelectorAll('[role=tabpanel]').forEach((t,k)=>t.hidden=k!=i)}</script>""",
        [
            (
                "click text=Billing",
                [
                    '~ @e2: tab "Profile" (no longer selected)',
                    '~ @e3: tab "Billing" (selected, focused)',
                    '+ tabpanel: "Your cards"',
                    '+ @e4: link "Add card" → /add',
                    '- "Your name"',
                ],
            ),
        ],
        id="tabs",
    ),
    pytest.param(
        """<style>.on{font-weight:bold}</style><div>
        <a class=on href=# onclick="pick(this);return false">Day</a> <a href=# onclick="pick(this);return false">Week</a></div>
        <script>function pick(a){document.querySelectorAll('a').forEach(x=>x.className=x==a?'on':'')}</script>""",
        [
            (
                "click text=Week",
                [
                    'Only the look of @e1: link "Day", @e2: link "Week" changed.',
                ],
            ),
            (
                "click text=Day",
                [
                    'Only the look of @e1: link "Day", @e2: link "Week" changed.',
                ],
            ),
        ],
        id="class only tab",
    ),
    pytest.param(
        """<h3>
        <button aria-expanded=false onclick="this.setAttribute('aria-expanded', p.hidden); p.hidden=!p.hidden">Shipping</button></h3>
        <div id=p hidden>Ships in 2 days. <a href=/rates>Rates</a></div>""",
        [
            (
                "click button",
                [
                    '~ @e2: button "Shipping" (expanded, focused)',
                    '+ "Ships in 2 days."',
                    '+ @e3: link "Rates" → /rates',
                ],
            ),
            (
                "click button",
                [
                    '~ @e2: button "Shipping" (collapsed, focused)',
                    '- "Ships in 2 days."',
                    '- @e3: link "Rates"',
                ],
            ),
        ],
        id="accordion",
    ),
    pytest.param(
        """<style>#p{max-height:0;overflow:hidden;transition:max-height .2s} #p.on{max-height:200px}</style>
        <button onclick="p.className='on'">FAQ</button><div id=p><p>Answer one</p>
        <p>Answer two</p></div>""",
        [
            ("click button", ['+ "Answer one"', '+ "Answer two"']),
        ],
        id="accordion slide",
    ),
    pytest.param(
        """<details><summary>More</summary><p>Hidden <a href=/x>link</a></p></details>""",
        [
            (
                "click summary",
                ['~ @e1: button "More" (expanded, focused)', '+ "Hidden"', '+ @e2: link "link" → /x'],
            ),
            ("click summary", ['~ @e1: button "More" (collapsed, focused)', '- "Hidden", @e2: link "link"']),
        ],
        id="details",
    ),
    pytest.param(
        """<main><h1>Files</h1><ul><li>a.txt</li></ul>
        <button onclick="d.showModal()">Delete</button></main><dialog id=d aria-label="Delete file?">
        <p>This cannot be undone.</p><form method=dialog><button>Cancel</button>
        <button onclick="document.querySelector('li').remove()">Confirm</button></form></dialog>""",
        [
            (
                "click text=Delete",
                [
                    '+ @e4: dialog "Delete file?" (covers the page)',
                    '+ "This cannot be undone."',
                    '+ @e6: button "Cancel" (focused)',
                    '+ @e7: button "Confirm"',
                ],
            ),
            ("click text=Cancel", ['Focus: @e3: button "Delete" (focused)', '- @e4: dialog "Delete file?"']),
            (
                "click text=Delete",
                [
                    '+ @e4: dialog "Delete file?" (covers the page)',
                    '+ "This cannot be undone."',
                    '+ @e6: button "Cancel" (focused)',
                    '+ @e7: button "Confirm"',
                ],
            ),
            (
                "click text=Confirm",
                ['Focus: @e3: button "Delete" (focused)', '- @e4: dialog "Delete file?"', '- "a.txt"'],
            ),
        ],
        id="modal",
    ),
    pytest.param(
        """<button onclick="m.style.display='block'">Open</button>
        <div id=m role=dialog aria-modal=true aria-label=Terms style="display:none;position:fixed;top:50px;left:50px;background:white">
        <p>Accept?</p><button onclick="m.style.display='none'">Accept</button></div>""",
        [
            (
                "click text=Open",
                [
                    '+ @e2: dialog "Terms"',
                    '+ "Accept?"',
                    '+ @e3: button "Accept"',
                ],
            ),
            ("click text=Accept", ['- @e2: dialog "Terms"']),
        ],
        id="div modal",
    ),
    pytest.param(
        """<button popovertarget=menu>Menu</button><div id=menu popover><a href=/a>Account</a>
        <a href=/b>Log out</a></div>""",
        [
            (
                "click button",
                [
                    '+ @e2: link "Account" → /a',
                    '+ @e3: link "Log out" → /b',
                ],
            ),
            ("click button", ['- @e2: link "Account", @e3: link "Log out"']),
        ],
        id="popover",
    ),
    pytest.param(
        """<style>nav ul{display:none} nav:hover ul{display:block}</style><nav><a href=/p>Products</a><ul>
        <li><a href=/a>Alpha</a><li><a href=/b>Beta</a></ul></nav>""",
        [
            ("hover nav", ['+ @e3: link "Alpha" → /a', '+ @e4: link "Beta" → /b']),
        ],
        id="hover menu",
    ),
    pytest.param(
        """<style>.d{display:none} li:hover .d{display:inline}</style><ul>
        <li>Buy milk <button class=d>Delete</button></li></ul>""",
        [
            ("hover li", ['+ @e1: button "Delete"']),
        ],
        id="hover delete",
    ),
    pytest.param(
        """<button aria-describedby=t onmouseenter="t.hidden=false">Help</button>
        <div id=t role=tooltip hidden>Opens the manual</div>""",
        [
            (
                "hover button",
                ['~ @e1: button "Help" (description: "Opens the manual")', '+ tooltip "Opens the manual"'],
            ),
        ],
        id="tooltip",
    ),
    pytest.param(
        """<style>#m{opacity:0;visibility:hidden;transition:all .2s} #m.on{opacity:1;visibility:visible}</style>
        <button onclick="m.className='on'">Menu</button><div id=m><a href=/a>Home</a></div>""",
        [
            ("click button", ['+ @e2: link "Home" → /a']),
        ],
        id="fade in",
    ),
    pytest.param(
        """<style>#m{visibility:hidden;transition:visibility 0s .55s} #m.on{visibility:visible}</style>
        <button onclick="m.className='on'">Menu</button><div id=m><a href=/a>Home</a></div>""",
        [
            ("click button", ['+ @e2: link "Home" → /a']),
        ],
        id="content that appears at the end of a slow transition",
    ),
    pytest.param(
        """<style>.m{opacity:0;transition:opacity .2s} .m.on{opacity:1}</style>
        <button onclick="open_menu()">Menu</button><script>
        const later = (frames, run) => frames ? requestAnimationFrame(() => later(frames - 1, run)) : run();
        function open_menu() {
          document.body.insertAdjacentHTML('beforeend', '<div class=m><a href=/a>Home</a></div>');
          later(3, () => document.querySelector('.m').classList.add('on'));
        }</script>""",
        [
            ("click button", ['+ @e2: link "Home" → /a']),
        ],
        id="content that a script fades in some frames later",
    ),
    pytest.param(
        """<style>#m{opacity:1;transition:opacity .2s} #m.off{opacity:0}</style>
        <button onclick="m.className='off'">Close</button><div id=m><p>Cookie notice</p></div>""",
        [
            ("click button", ['- "Cookie notice"']),
        ],
        id="fade out",
    ),
    pytest.param(
        """<ul role=tree>
        <li role=treeitem aria-expanded=false onclick="this.setAttribute('aria-expanded',true);g.hidden=false">Docs<ul role=group id=g hidden>
        <li role=treeitem>Guide</li><li role=treeitem>API</li></ul></li></ul>""",
        [
            (
                "click text=Docs",
                ['~ @e2: treeitem "Docs" (expanded)', '+ @e3: treeitem "Guide"', '+ @e4: treeitem "API"'],
            ),
        ],
        id="tree",
    ),
    pytest.param(
        """<div id=s><button onclick="rate(1)" aria-label="1 star"></button>
        <button onclick="rate(2)" aria-label="2 stars">☆</button></div>
        <script>function rate(n){s.querySelectorAll('button').forEach((b,i)=>b.setAttribute('aria-pressed',i<n))}</script>""",
        [
            (
                "click text=☆",
                ['~ @e1: button "1 star" (pressed)', '~ @e2: button "2 stars" (pressed, focused)'],
            ),
        ],
        id="stars",
    ),
    pytest.param(
        """<section id=a><h2>Step 1 of 2</h2>
        <button onclick="a.hidden=true;b.hidden=false">Next</button></section><section id=b hidden>
        <h2>Step 2 of 2</h2><label>Name <input></label><button>Finish</button></section>""",
        [
            (
                "click button",
                [
                    '+ @e3: heading "Step 2 of 2" (level: 2)',
                    '+ @e4: textbox "Name"',
                    '+ @e5: button "Finish"',
                    '- @e1: heading "Step 1 of 2"',
                    '- @e2: button "Next"',
                ],
            ),
        ],
        id="wizard",
    ),
    pytest.param(
        """<x-count></x-count><script>customElements.define('x-count',class extends HTMLElement{constructor(){super();const r=this.attachShadow({mode:'open'});r.innerHTML='<button>Up</button><p>0 votes</p>';r.querySelector('button').onclick=()=>r.querySelector('p').textContent='1 vote'}})</script>""",
        [
            ("click text=Up", ['~ "1 vote"']),
        ],
        id="shadow component",
    ),
    pytest.param(
        """<x-count></x-count><script>customElements.define('x-count',class extends HTMLElement{constructor(){super();const r=this.attachShadow({mode:'closed'});r.innerHTML='<button>Up</button><p>0 votes</p>';r.querySelector('button').onclick=()=>r.querySelector('p').textContent='1 vote'}})</script>""",
        [
            ("click text=Up", ['Focus: @e1: button "Up" (focused)', '~ "1 vote"']),
        ],
        id="closed shadow",
    ),
    pytest.param(
        """<iframe srcdoc="<button onclick=&quot;p.textContent='Inside'&quot;>In</button>
        <p id=p>x</p>"></iframe>""",
        [
            ("click text=In", ['~ "Inside"']),
        ],
        id="iframe",
    ),
    pytest.param(
        """<canvas onclick="this.getContext('2d').fillRect(0,0,9,9)"></canvas>""",
        [
            ("click canvas", ["Nothing changed, except perhaps what @e1: canvas draws: take a screenshot."]),
        ],
        id="canvas",
    ),
    pytest.param(
        """<img id=i alt=Photo src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'/>">
        <button onclick="i.src=`data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='60' height='60'/>`">Next</button>""",
        [
            (
                "click button",
                ['Only the look of @e1: image "Photo" changed.'],
            ),
        ],
        id="image swap",
    ),
    pytest.param(
        """<progress value=10 max=100 aria-label=Upload></progress>
        <button onclick="document.querySelector('progress').value=60">Go</button>""",
        [
            ("click button", ['~ progressbar "Upload" = "60"']),
        ],
        id="progress",
    ),
]


@pytest.mark.parametrize(("page", "steps"), REACTIONS)
async def test_the_report_says_what_changed(tab: Tab, web: Web, page: str, steps: list[Step]) -> None:
    await tab.goto(web.page(f"<!doctype html>{page}", "/page"))
    await tab.snapshot()
    for step, report in steps:
        assert (step, await report_of(tab, step)) == (step, report)
