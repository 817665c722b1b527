"""Secrets in the user's own Chrome: typed into the document of their field, as in a browser of ours."""

from pathlib import Path
from typing import Any

import pytest

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.call import Answer, Call
from tabwright.errors import Denied, Stale
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.secret_store import Secrets
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.runner import Runner
from tests.extension.linked import run_linked_hub
from tests.extension.person import Person
from tests.policy.hostile import LISTENER, VALUE, serve_hostile
from tests.web import Web, serve_web


async def test_no_frame_and_no_next_page_gets_a_secret_in_the_users_chrome(
    person: Person, web: Web, tmp_path: Path
) -> None:
    secrets = Secrets(tmp_path / "secrets.toml")
    secrets.put("site", web.url, VALUE)
    async with run_linked_hub(person, tmp_path) as hub, serve_web() as evil:
        runner = Runner(CATALOG, hub.runner.sessions, Artifacts(), secrets=SecretTyping(secrets))

        async def do(action: str, **args: Any) -> Answer:
            return await runner.run(Call(action=action, args=args, principal=Principal("local:test")))

        thief = serve_hostile(evil)
        landing = serve_hostile(evil, f"<input autofocus>{LISTENER}")
        leave = f"if (this.value.length === 2 * {len(VALUE)} + 4) location = '{landing}'"
        page = web.page(f'<input id=word aria-label=Word oninput="{leave}"><iframe src="{thief}"></iframe>')
        await hub.share(person, page)
        await do("connect_browser")
        await do("fill", target="#word", value="{{secret:site}}")
        await do("type_text", target="#word", text="{{secret:site}}")
        length = "document.querySelector('#word').value.length"
        assert (await do("evaluate", script=length)).result.model_dump() == {"value": 2 * len(VALUE)}
        with pytest.raises((Stale, Denied), match=r"^Stopped after \d+ of 17 characters: "):
            await do("type_text", target="#word", text="{{secret:site}}", delay=0.05)
        await do("wait_for_url", pattern=landing)
        await do("wait_for_load")
        assert [request for request in evil.requests if request.path == "/heard"] == []
    await person.reset()
