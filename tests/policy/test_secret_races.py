"""Generated races: pages that take the focus, navigate, remove and insert at any moment while a secret is typed."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tabwright.errors import TabwrightError
from tests.policy.desk import Desk
from tests.policy.hostile import LISTENER, THIEF, VALUE, overheard, serve_hostile
from tests.web import Web, serve_web

# When something happens: right at load, or at an event of the field, then some milliseconds later.
MOMENTS = st.tuples(
    st.sampled_from(["load", "focus", "keydown", "beforeinput", "input"]),
    st.sampled_from([None, 0, 1, 5, 20]),
)
OPERATIONS = st.sampled_from(
    [
        "steal",
        "steal",
        "steal near",
        "insert thief",
        "leave",
        "remove",
        "rename",
        "blur",
        "reload frame",
        "open",
    ]
)
SCHEDULES = st.lists(st.tuples(MOMENTS, OPERATIONS), min_size=1, max_size=6)
WAYS = st.sampled_from(
    [
        ("fill", {"value": "{{secret:site}}"}),
        ("type_text", {"text": "{{secret:site}}"}),
        ("type_text", {"text": "{{secret:site}}", "delay": 0.005}),
        ("type_text", {"text": "{{secret:site}}\n", "delay": 0.001}),
    ]
)
# A frame that takes the focus whenever it is asked to, and at once again when it loses it.
SNATCHER = f"""<input id=trap>{LISTENER}<script>
onmessage = () => trap.focus()
trap.onblur = () => trap.focus()
</script>"""
PAGE = """<form onsubmit="return false"><input id=word type=password aria-label=Word></form>
<iframe id=far src="{far}"></iframe><iframe id=near src="{near}"></iframe>
<script>
const word = document.querySelector('#word')
const far = document.querySelector('#far'), near = document.querySelector('#near')
const deeds = {{
  'steal': () => far.contentWindow.postMessage(0, '*'),
  'steal near': () => near.contentWindow.postMessage(0, '*'),
  'insert thief': () => {{
    const frame = document.createElement('iframe')
    frame.src = '{thief}'
    document.body.append(frame)
  }},
  'leave': () => {{ location = '{thief}' }},
  'remove': () => word.remove(),
  'rename': () => {{ word.type = 'text' }},
  'blur': () => word.blur(),
  'reload frame': () => {{ far.src = '{thief}' }},
  'open': () => open('{thief}'),
}}
for (const [[event, delay], deed] of {schedule}) {{
  const run = () => (delay === null ? deeds[deed]() : setTimeout(deeds[deed], delay))
  if (event === 'load') addEventListener('load', run)
  else word.addEventListener(event, run, {{ once: true }})
}}
</script>"""


def generate(examples: int) -> list[tuple[Any, Any]]:
    """Return the same examples in every run."""
    found: list[tuple[Any, Any]] = []

    @settings(
        max_examples=examples,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(SCHEDULES, WAYS)
    def collect(schedule: Any, way: Any) -> None:
        found.append((schedule, way))

    collect()
    return found


@pytest.mark.sampled(20)
@pytest.mark.parametrize("part", range(20))
async def test_no_schedule_of_races_brings_a_secret_to_another_origin(
    desk: Desk, web: Web, part: int
) -> None:
    desk.secrets.put("site", web.url, VALUE)
    async with serve_web() as evil:
        addresses = {
            "far": serve_hostile(evil, SNATCHER, "/far"),
            "near": evil.page(SNATCHER, "/near"),
            "thief": serve_hostile(evil, THIEF, "/thief"),
        }
        for schedule, (action, args) in generate(320)[part::20]:
            await desk.do("navigate", url=web.page(PAGE.format(schedule=json.dumps(schedule), **addresses)))
            outcome = "done"
            try:
                answer = await desk.do(action, target="#word", timeout=1, **args)
                assert VALUE not in answer.text
            except TabwrightError as error:
                outcome = str(error)
            assert VALUE not in outcome
            # Enter is pressed, not typed; the secret does not contain it.
            assert [got for got in await overheard(desk, evil) if got[1] not in ("Enter", "")] == [], (
                schedule,
                action,
                args,
                outcome,
            )
