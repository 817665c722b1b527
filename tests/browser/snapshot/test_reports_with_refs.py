"""After an action no snapshot is needed: the report has what appeared, with refs that work, and nothing else."""

import pytest

from tabwright.browser.tab import Tab
from tests.browser.snapshot.steps import Step, report_of
from tests.web import Web

MANY_DAYS = "".join(
    f"<tr>{''.join(f'<td><a href=#>{day}</a></td>' for day in range(week, week + 7))}</tr>"
    for week in range(1, 36, 7)
)

REPORTS = [
    pytest.param(
        """<button onclick="box.innerHTML = '<div><span>Reply</span><span>Forward</span></div>';
        for (const each of box.querySelectorAll('span')) each.addEventListener('click', () => {})">Open</button>
        <div id=box></div>""",
        [("click button", ['+ @e2: clickable "Reply"', '+ @e3: clickable "Forward"'])],
        id="elements with a listener",
    ),
    pytest.param(
        """<svg width=90 height=30><text y=20>1</text></svg><script>
        document.querySelector('text').addEventListener('click', event => {
            event.target.parentNode.innerHTML = '<rect width=20 height=20 fill=red></rect>';
            document.querySelector('rect').addEventListener('click', () => {});
        })</script>""",
        [("click text", ['~ @e2: clickable (looks like: "red rectangle")'])],
        id="shapes with a listener",
    ),
    pytest.param(
        """<h2 id=h>Vinny</h2><p id=p><a href=javascript:>&gt;</a></p><script>
        const draw = () => { p.innerHTML = p.innerHTML; p.firstChild.onclick = next; };
        const next = () => { h.textContent = 'Meryl'; draw(); }; p.firstChild.onclick = next</script>""",
        [("click a", ['~ @e1: heading "Meryl" (level: 2)', '+ @e3: link ">"'])],
        id="a replaced control under another heading",
    ),
    pytest.param(
        """<ul id=l><li><button>Delete</button> a<li><button>Delete</button> b</ul>
        <button onclick="l.innerHTML = l.innerHTML">Refresh</button>""",
        [("click text=Refresh", ['+ @e4: button "Delete"', '+ @e5: button "Delete"'])],
        id="replaced controls with the same name",
    ),
    pytest.param(
        """<style>div { height: 40px; overflow: auto } p { height: 30px; margin: 0 }</style>
        <div><p><button>One</button></p><p><button>Two</button></p>
        <p><button onclick="this.textContent = 'Done'">Three</button></p></div>""",
        [("click text=Three", ['~ @e4: button "Done" (focused)'])],
        id="controls that are scrolled out",
    ),
    pytest.param(
        """<style>#c { position: fixed; inset: 0; background: white }</style>
        <div onclick="c.hidden = false">Below</div><div id=c hidden>Above</div>""",
        [("click text=Below", ['+ "Above"'])],
        id="a cover",
    ),
    pytest.param(
        f"""<button onclick="t.hidden = false">Day</button><div id=t hidden>May<table border=1>{MANY_DAYS}</table></div>""",
        [
            (
                "click button",
                [
                    '+ "May"',
                    "+ @e2: table",
                    *(
                        "+ row of links: "
                        + " | ".join(f'@e{day + 2} "{day}"' for day in range(week, week + 7))
                        for week in range(1, 36, 7)
                    ),
                ],
            )
        ],
        id="a calendar",
    ),
    pytest.param(
        """<p aria-haspopup=menu tabindex=0>More</p><ul id=m hidden><li><a href=/a>Alpha</a></ul><script>
        document.querySelector('p').onmouseenter = () => setTimeout(() => { m.hidden = false }, 250);
        </script>""",
        [("hover p", ['+ @e2: link "Alpha" → /a'])],
        id="a menu that opens after a while",
    ),
]


@pytest.mark.parametrize(("page", "steps"), REPORTS)
async def test_a_report_needs_no_snapshot_after_it(tab: Tab, web: Web, page: str, steps: list[Step]) -> None:
    await tab.goto(web.page(f"<!doctype html>{page}"))
    await tab.snapshot()
    for step, report in steps:
        assert (step, await report_of(tab, step)) == (step, report)
