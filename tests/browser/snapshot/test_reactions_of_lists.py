"""Lists, tables and text: how small pages react, and what the report of each step says."""

import pytest

from tabwright.browser.tab import Tab
from tests.browser.snapshot.steps import Step, report_of
from tests.web import Web

REACTIONS = [
    pytest.param(
        """<button onclick="n.textContent++">Add</button><p>Cart: <b id=n>0</b> items</p>""",
        [
            ("click button", ['~ "Cart: 1 items"']),
            ("click button", ['~ "Cart: 2 items"']),
        ],
        id="counter",
    ),
    pytest.param(
        """<a href=/x>Link</a><button onclick="document.body.append('hello')">Go</button>""",
        [
            ("click button", ['+ "hello"']),
        ],
        id="append",
    ),
    pytest.param(
        """<table><thead><tr><th>
        <button onclick="const b=document.querySelector('tbody');[...b.rows].sort((x,y)=>x.innerText.localeCompare(y.innerText)).forEach(r=>b.append(r))">Name</button>
        <th>Qty</tr></thead><tbody><tr><td>Pear<td>2<tr><td>Plum<td>5<tr><td>Fig<td>1<tr>
        <td>Apple<td>3</table>""",
        [
            (
                "click button",
                [
                    '~ new order in @e1: table: "Name", "Apple", "Fig", "Pear", "Plum"',
                ],
            ),
        ],
        id="sort",
    ),
    pytest.param(
        """<button onclick="l.innerHTML=['Apple','Fig','Pear','Plum'].map(x=>`<li>${x}</li>`).join('')">Sort</button>
        <ul id=l><li>Pear</li><li>Plum</li><li>Fig</li><li>Apple</li></ul>""",
        [
            (
                "click button",
                [
                    '~ new order in list: "Apple", "Fig", "Pear", "Plum"',
                ],
            ),
            ("click button", ["Nothing changed."]),
        ],
        id="sort by render",
    ),
    pytest.param(
        """<input aria-label=Filter oninput="document.querySelectorAll('li').forEach(l=>l.hidden=!l.textContent.includes(this.value))">
        <ul><li>Apple</li><li>Banana</li><li>Cherry</li></ul>""",
        [
            ("fill input=an", ['~ @e1: textbox "Filter" = "an" (focused)', '- "Apple"', '- "Cherry"']),
            ("fill input=x", ['~ @e1: textbox "Filter" = "x" (focused)', '- "Banana"']),
        ],
        id="filter",
    ),
    pytest.param(
        """<input aria-label=Filter oninput="const hits=[...document.querySelectorAll('li')].filter(l=>!(l.hidden=!l.textContent.includes(this.value))); s.textContent=hits.length+' results'">
        <p role=status id=s>3 results</p><ul><li><a href=/a>Apple</a></li><li>
        <a href=/b>Banana</a></li><li><a href=/c>Cherry</a></li></ul>""",
        [
            (
                "fill input=an",
                [
                    '~ "1 results"',
                    '~ @e1: textbox "Filter" = "an" (focused)',
                    '- @e2: link "Apple"',
                    '- @e4: link "Cherry"',
                ],
            ),
        ],
        id="filter with count",
    ),
    pytest.param(
        """<ul id=l></ul><button onclick="show(++p)">Next</button>
        <script>let p=1;function show(p){l.innerHTML=[1,2,3,4].map(i=>`<li>
        <a href=/i${p*4+i-4}>Item ${p*4+i-4}</a> <button>Buy</button></li>`).join('')};show(1)</script>""",
        [
            (
                "click text=Next",
                [
                    '+ @e10: link "Item 5" → /i5',
                    '+ @e11: button "Buy"',
                    '+ @e12: link "Item 6" → /i6',
                    '+ @e13: button "Buy"',
                    '+ @e14: link "Item 7" → /i7',
                    '+ @e15: button "Buy"',
                    '+ @e16: link "Item 8" → /i8',
                    '+ @e17: button "Buy"',
                    "- @e1, @e2, @e3, @e4, @e5, @e6, @e7, @e8",
                ],
            ),
        ],
        id="pagination",
    ),
    pytest.param(
        """<ul id=l></ul><button onclick="for(let i=0;i<24;i++) l.insertAdjacentHTML('beforeend',`<li>
        <a href=/i${i}>Story number ${i} of today</a></li>`)">More</button>""",
        [
            (
                "click button",
                [
                    '+ 24 links: @e2 "Story number 0 of today", @e3 "Story number 1 of today", @e4 "Story number 2 of today", @e5 "Story number 3 of today", @e6 "Story number 4 of today", @e7 "Story number 5 of today", @e8 "Story number 6 of today", …',
                ],
            ),
        ],
        id="load more",
    ),
    pytest.param(
        """<ul id=l><li draggable=true>One</li><li>Two</li><li>Three</li></ul>
        <button onclick="l.append(l.firstElementChild)">Drop</button>""",
        [
            (
                "click button",
                ['~ new order in list: "Two", "Three", "One"'],
            ),
            ("click button", ['~ moved "Two" after "One"']),
        ],
        id="drag result",
    ),
    pytest.param(
        """<section aria-label=Todo id=a><h2>Todo</h2><div tabindex=0>Write tests</div>
        <div tabindex=0>Ship</div></section><section aria-label=Done id=b><h2>Done</h2>
        <div tabindex=0>Plan</div></section>
        <button onclick="b.append(a.querySelector('div'))">Move</button>""",
        [
            (
                "click button",
                [
                    '~ moved @e3: clickable "Write tests" after @e7: clickable "Plan"',
                ],
            ),
        ],
        id="kanban",
    ),
    pytest.param(
        """<ul id=l>
        <li>Mail <button onclick="this.parentNode.remove(); t.innerHTML='Deleted. <button>Undo</button>'">Delete</button></li></ul>
        <div id=t role=alert></div>""",
        [
            (
                "click button",
                ['+ alert: "Deleted."', '+ @e2: button "Undo"', '- "Mail", @e1: button "Delete"'],
            ),
        ],
        id="undo",
    ),
    pytest.param(
        """<ul id=l><li><input type=checkbox aria-label=Milk>Milk <button>Delete</button></li></ul>
        <input aria-label=New onkeydown="if(event.key=='Enter'){l.insertAdjacentHTML('beforeend',`<li>
        <input type=checkbox aria-label=${this.value}>${this.value} <button onclick='this.parentNode.remove()'>Delete</button></li>`);this.value=''}">""",
        [
            ("fill [aria-label=New]=Bread", ['~ @e3: textbox "New" = "Bread" (focused)']),
            (
                "press Enter",
                [
                    '~ @e3: textbox "New" = "" (focused)',
                    '+ @e4: checkbox "Bread" (unchecked)',
                    '+ @e5: button "Delete"',
                ],
            ),
            ("click li:nth-child(2) button", ['- @e4: checkbox "Bread", @e5: button "Delete"']),
        ],
        id="todo",
    ),
    pytest.param(
        """<table><tr><th>Item<th>Qty<th></tr><tr><td>Pear<td id=q>2<td>
        <button onclick="q.textContent++">+</button></tr></table>""",
        [
            ("click button", ['~ row: "Pear" | "3" | @e2: button "+" (focused)']),
        ],
        id="table cell",
    ),
    pytest.param(
        """<table><tr><th>Item<th></tr><tr><td>Pear<td>
        <button onclick="this.closest('tr').remove()">Remove</button></tr><tr><td>Fig<td>
        <button>Remove</button></tr></table>""",
        [
            ("click button >> nth=0", ['- row: "Pear" | @e2: button "Remove"']),
        ],
        id="row removed",
    ),
    pytest.param(
        """<table role=grid>
        <tr role=row aria-selected=false onclick="this.setAttribute('aria-selected',true);bar.hidden=false">
        <td role=gridcell>a.txt</td><td role=gridcell>2 KB</td></tr></table>
        <div id=bar role=toolbar aria-label=Selection hidden><button>Delete</button></div>""",
        [
            (
                "click text=a.txt",
                [
                    '~ @e2: row "a.txt 2 KB" (selected)',
                    '+ @e3: toolbar "Selection"',
                    '+ @e4: button "Delete"',
                ],
            ),
        ],
        id="row selected",
    ),
    pytest.param(
        """<div id=app></div><script>let n=0;function r(){app.innerHTML=`<h1>Shop</h1><p>Items: ${n}</p><button onclick="n++;r()">Add</button><ul><li>A</li><li>B</li></ul>`}r()</script>""",
        [
            ("click button", ['~ "Items: 1"']),
            ("click button", ['~ "Items: 2"']),
        ],
        id="react-like rerender",
    ),
    pytest.param(
        """<div id=app></div><button onclick="r()">Refresh</button><script>function r(){app.innerHTML='<h1>Shop</h1><ul><li><a href=/a>A</a></li><li><a href=/b>B</a></li></ul>'}r()</script>""",
        [
            ("click text=Refresh", ['Focus: @e4: button "Refresh" (focused)']),
            ("click text=Refresh", ["Nothing changed."]),
        ],
        id="equal rerender",
    ),
    pytest.param(
        """<div hidden id=h>x</div><button onclick="h.textContent='secret instruction'">Go</button>""",
        [
            ("click button", ['Focus: @e1: button "Go" (focused)']),
            ("click button", ["Nothing changed."]),
        ],
        id="hidden change",
    ),
]


@pytest.mark.parametrize(("page", "steps"), REACTIONS)
async def test_the_report_says_what_changed(tab: Tab, web: Web, page: str, steps: list[Step]) -> None:
    await tab.goto(web.page(f"<!doctype html>{page}", "/page"))
    await tab.snapshot()
    for step, report in steps:
        assert (step, await report_of(tab, step)) == (step, report)
