"""Without a home, nothing of the user is read or written."""

from pathlib import Path

import pytest

from tabwright.app import running
from tabwright.call import Call
from tabwright.errors import Blocked
from tabwright.policy.callers.principal import Principal
from tabwright.settings import Settings
from tests.web import Web

RECIPE = 'site = "127.0.0.1"\n[[tool]]\nname = "help_me"\nrename = "get_help"\n'


async def test_without_a_home_recipes_are_neither_read_nor_written(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWRIGHT_HOME", str(tmp_path))
    recipes = tmp_path / "recipes"
    recipes.mkdir()
    (recipes / "mine.toml").write_text(RECIPE)
    me = Principal("local:test")
    async with running(Settings()) as runner:
        url = web.page("<button>Help me</button>")
        await runner.run(Call("navigate", {"url": url}, principal=me))
        tools = (await runner.run(Call("list_page_tools", principal=me))).text
        assert "help_me" in tools
        assert "get_help" not in tools
        with pytest.raises(Blocked, match="no folder for recipes"):
            await runner.run(Call("start_recording", {"name": "mine", "site": "x.example"}, principal=me))
    assert [path.name for path in recipes.iterdir()] == ["mine.toml"]
