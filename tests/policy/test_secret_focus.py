"""A secret reaches its own origin only, whatever a page does with focus and navigation meanwhile."""

from tests.policy.desk import Desk
from tests.policy.hostile import VALUE, overheard, serve_hostile, value_length
from tests.web import Web, serve_web


async def test_a_frame_that_keeps_taking_the_focus_gets_nothing(desk: Desk, web: Web) -> None:
    async with serve_web() as evil:
        desk.secrets.put("site", web.url, VALUE)
        page = web.page(
            f"<input id=word type=password aria-label=Word><iframe src='{serve_hostile(evil)}'></iframe>"
        )
        await desk.do("navigate", url=page)
        for _ in range(5):
            answer = await desk.do("fill", target="#word", value="{{secret:site}}")
            assert answer.text.startswith('textbox "Word" is now')
            assert await value_length(desk) == len(VALUE)
        for delay in (0, 0.02):
            await desk.do("fill", target="#word", value="")
            answer = await desk.do("type_text", target="#word", text="{{secret:site}}", delay=delay)
            assert answer.text.startswith('Typed into textbox "Word".')
            assert await value_length(desk) == len(VALUE)
        assert await overheard(desk, evil) == []
