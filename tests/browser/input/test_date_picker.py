"""Read-only date fields: `fill` operates the calendar that they open."""

import pytest

from tabwright.browser.tab import Tab
from tabwright.errors import Blocked
from tests.web import Web

PAGE = """<label>Arrival <input id=d readonly value=2026-05-10></label><div id=box hidden>
<button aria-label="Previous month" onclick="turn(-1)">&lt;</button><b id=head></b>
<button aria-label="Next month" onclick="turn(1)">&gt;</button><div id=days></div></div>
<script>
let year = 2026, month = 4;
const pad = number => String(number).padStart(2, '0');
function turn(by) { month += by; year += Math.floor(month / 12); month = (month + 12) % 12; draw() }
function draw() {
  head.textContent = new Date(year, month, 1).toLocaleString('en', {month: 'long', year: 'numeric'});
  days.replaceChildren();
  for (let day = 1; day <= new Date(year, month + 1, 0).getDate(); day++) {
    const cell = document.createElement('button');
    cell.textContent = day;
    LABEL
    cell.disabled = month === 4 && day === 31;
    cell.onclick = () => { KEEP; box.hidden = true };
    days.append(cell);
  }
}
d.onclick = () => { box.hidden = false; draw() };
</script>"""
SET = "d.value = `${year}-${pad(month + 1)}-${pad(day)}`"
LABEL = "cell.ariaLabel = new Date(year, month, day).toLocaleString('en', {dateStyle: 'full'})"


def page(label: str = LABEL, keep: str = SET) -> str:
    return PAGE.replace("LABEL", label).replace("KEEP", keep)


@pytest.mark.parametrize("label", [LABEL, ""], ids=["days named by date", "days with a number only"])
@pytest.mark.parametrize("date", ["2026-05-15", "2026-08-01", "2025-12-31"])
async def test_fill_chooses_the_day_in_the_calendar(tab: Tab, web: Web, label: str, date: str) -> None:
    await tab.goto(web.page(page(label)))
    await tab.snapshot()
    assert await tab.element("#d").fill(date) == date


async def test_a_day_that_is_not_offered_is_refused(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(page()))
    await tab.snapshot()
    with pytest.raises(Blocked) as refused:
        await tab.element("#d").fill("2026-05-31")
    assert str(refused.value).startswith('textbox "Arrival" does not offer 2026-05-31.')


async def test_a_calendar_that_does_not_set_the_field_is_reported(tab: Tab, web: Web) -> None:
    await tab.goto(web.page(page(keep="")))
    await tab.snapshot()
    with pytest.raises(Blocked) as refused:
        await tab.element("#d").fill("2026-05-15")
    assert str(refused.value).startswith(
        'textbox "Arrival" still shows "2026-05-10" after 2026-05-15 was clicked'
    )


async def test_a_read_only_field_that_opens_no_calendar_is_reported(tab: Tab, web: Web) -> None:
    await tab.goto(web.page("<label>Code <input readonly onclick='1'></label>"))
    await tab.snapshot()
    with pytest.raises(Blocked) as refused:
        await tab.element("role=textbox").fill("2026-05-15")
    assert str(refused.value).startswith(
        'textbox "Code" is read-only, and a click on it did not open a calendar.'
    )
