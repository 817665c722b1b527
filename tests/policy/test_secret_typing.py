"""Secrets by name: typed into their own origin only, and never in an answer or a log."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import keyring
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring

from tabwright.call import Answer
from tabwright.errors import Denied, InvalidArgs, NotFound, TabwrightError
from tabwright.policy.data.secret_store import Secrets
from tests.policy.desk import Desk
from tests.web import Web, serve_web

VALUE = "p@ss w<o>rd&1"
FORM = """<title>Login</title><form action=/login method=post><input name=word aria-label=Word>
<p id=seen></p><script>
document.querySelector('input').oninput = event => {
  document.querySelector('#seen').textContent = 'Typed ' + event.target.value
  console.log('now ' + event.target.value)
}
</script></form>"""


def everything_in(answer: Answer) -> str:
    """Return everything that a door could send of an answer."""
    return f"{answer.text}\n{answer.result!r}\n{answer.result.model_dump_json()}\n{answer.effects}"


async def test_a_secret_reaches_the_page_but_no_answer(desk: Desk, web: Web) -> None:
    desk.secrets.put("site", web.url, VALUE)
    await desk.do("navigate", url=web.page(FORM))
    answers = [await desk.do("fill", target="input", value="{{secret:site}}")]
    held = await desk.do("evaluate", script="document.querySelector('input').value.length")
    assert held.text.startswith(str(len(VALUE)))
    assert 'is now "[secret site]".' in answers[0].text
    answers.append(await desk.do("type_text", target="input", text="+{{secret:site}}"))
    answers += [await desk.do(action) for action in ("snapshot", "read", "console_messages", "list_requests")]
    answers.append(await desk.do("evaluate", script="document.querySelector('input').value"))
    answers.append(
        await desk.do("evaluate", script="encodeURIComponent(document.querySelector('input').value)")
    )
    answers.append(await desk.do("get_html", target="form"))
    for answer in answers:
        assert VALUE not in everything_in(answer)
        assert "p%40ss" not in everything_in(answer)
    assert "[secret site]" in answers[2].text
    with pytest.raises(TabwrightError) as failure:
        await desk.do("click", target=f"text={VALUE} nowhere", timeout=0.1)
    assert VALUE not in str(failure.value)
    assert VALUE not in desk.log.read_text()


async def test_a_secret_is_typed_only_into_its_own_origin(desk: Desk, web: Web) -> None:
    async with serve_web() as other:
        desk.secrets.put("site", web.url, VALUE)
        refusal = f"The secret is for {web.url}, and this is {other.url}."
        await desk.do("navigate", url=other.page(FORM))
        for action, args in (
            ("fill", {"value": "{{secret:site}}"}),
            ("type_text", {"text": "{{ secret:site }}"}),
        ):
            with pytest.raises(Denied) as refused:
                await desk.do(action, target="input", **args)
            assert refused.value.message == refusal
        # Neither into a frame of another site in the right page, nor into the right frame of another page.
        inner = web.page(FORM, "/inner")
        for page in (
            web.page(f"<iframe src='{other.page(FORM)}'></iframe>"),
            other.page(f"<iframe src={inner}></iframe>", "/o"),
        ):
            await desk.do("navigate", url=page)
            with pytest.raises(Denied):
                await desk.do("fill", target="input", value="{{secret:site}}")
        held = await desk.do("evaluate", script="document.body.innerText")
        assert VALUE not in held.text


async def test_a_secret_needs_a_target_element(desk: Desk, web: Web) -> None:
    desk.secrets.put("site", web.url, VALUE)
    await desk.do("navigate", url=web.page(FORM))
    with pytest.raises(InvalidArgs, match="A secret is typed into a named element only"):
        await desk.do("type_text", text="{{secret:site}}")
    with pytest.raises(NotFound, match="There is no secret bank"):
        await desk.do("fill", target="input", value="{{secret:bank}}")


async def test_a_secret_may_have_several_values_and_origins(desk: Desk, web: Web, tmp_path: Path) -> None:
    file = tmp_path / "secrets.toml"
    file.write_text(
        f'[site]\norigin = ["https://a.example", "{web.url}"]\nuser = "ada-l"\npassword = "{VALUE}"\n'
    )
    file.chmod(0o600)
    await desk.do("navigate", url=web.page("<input><textarea></textarea>"))
    await desk.do("fill", target="input", value="{{secret:site.user}}")
    await desk.do("fill", target="textarea", value="{{secret:site.password}}")
    sizes = await desk.do(
        "evaluate", script="[...document.querySelectorAll('input,textarea')].map(e => e.value.length)"
    )
    assert sizes.result.model_dump() == {"value": [5, len(VALUE)]}
    file.chmod(0o644)
    with pytest.raises(Denied, match="Others can read"):
        await desk.do("fill", target="input", value="{{secret:site.user}}")


TYPING: list[tuple[str, str, dict[str, Any]]] = [
    ("fill", "value", {"target": "input"}),
    ("type_text", "text", {"target": "input"}),
    ("type_text", "text", {}),
    ("select_option", "options", {"target": "select", "timeout": 0.1}),
    ("set_cookie", "value", {"name": "a"}),
    ("set_storage", "value", {"key": "item"}),
    ("answer_dialog", "text", {}),
    ("wait_for_text", "text", {"timeout": 0.05}),
    ("evaluate", "script", {}),
    ("find", "text", {}),
    ("batch", "steps", {}),
    ("nothing_like_it", "value", {}),
]


async def test_typed_text_is_not_in_the_log(desk: Desk, web: Web, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="tabwright.runner")
    await desk.do("navigate", url=web.page("<input><select><option>a</option></select>"))

    @settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), min_size=12, max_size=40))
    def collect(secret: str) -> None:
        secrets.append(secret)

    secrets: list[str] = []
    collect()
    for secret in secrets:
        for action, field, args in TYPING:
            many = field in ("options", "steps")
            try:
                await desk.do(action, **{field: [secret] if many else secret}, **args)
            except TabwrightError:
                continue
    written = desk.log.read_text() + "\n".join(
        record.getMessage() for record in caplog.records if record.name.startswith("tabwright.runner")
    )
    decoded = [json.loads(line) for line in desk.log.read_text().splitlines()]
    for secret in secrets:
        assert secret not in written
        assert all(secret not in json.dumps(line, ensure_ascii=False) for line in decoded)
    assert {line["action"] for line in decoded} >= {action for action, _, _ in TYPING}


async def test_a_log_line_has_caller_action_page_duration_and_outcome(desk: Desk, web: Web) -> None:
    page = web.page("<button>Buy</button>", "/shop")
    await desk.do("navigate", url=f"{page}?token=abc&size=2")
    with pytest.raises(NotFound):
        await desk.do("click", target="@e99")
    first, second = (json.loads(line) for line in desk.log.read_text().splitlines())
    assert {
        name: first[name] for name in ("who", "door", "action", "session", "tab", "args", "url", "outcome")
    } == {
        "who": "local:test",
        "door": "test",
        "action": "navigate",
        "session": "default",
        "tab": first["tab"],
        "args": {"url": f"{page}?token=***&size=2"},
        "url": f"{page}?token=***&size=2",
        "outcome": "ok",
    }
    assert first["ms"] >= 0
    assert first["time"] <= second["time"]
    assert (second["action"], second["outcome"], second["args"]) == ("click", "NotFound", {"target": "@e99"})
    assert desk.log.stat().st_mode & 0o777 == 0o600


class Ring(KeyringBackend):
    """A keyring that works without a desktop."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # the library has no types here
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


@pytest.fixture
def ring() -> Iterator[Ring]:
    before, ring = keyring.get_keyring(), Ring()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


async def test_a_secret_of_the_keyring_reaches_the_page_but_no_file(desk: Desk, web: Web, ring: Ring) -> None:
    desk.secrets.put("site.user", web.url, "grace")
    desk.secrets.put("site.word", web.url, VALUE, keyring=True)
    assert ring.held == {("tabwright", "site.word"): VALUE}
    assert VALUE not in (desk.log.parent / "secrets.toml").read_text()
    await desk.do("navigate", url=web.page(FORM))
    answer = await desk.do("fill", target="input", value="{{secret:site.user}} {{secret:site.word}}")
    held = await desk.do("evaluate", script="document.querySelector('input').value.length")
    assert held.text.startswith(str(len(f"grace {VALUE}")))
    assert VALUE not in everything_in(answer)


async def test_a_keyring_that_asks_the_user_does_not_block_other_sessions(
    desk: Desk, web: Web, ring: Ring
) -> None:
    desk.secrets.put("site", web.url, VALUE, keyring=True)
    asked, allowed = threading.Event(), threading.Event()

    def ask(service: str, username: str) -> str | None:
        asked.set()
        return ring.held[service, username] if allowed.wait(10) else None

    ring.get_password = ask  # type: ignore[method-assign]
    await desk.do("navigate", url=web.page(FORM))
    async with anyio.create_task_group() as group:
        group.start_soon(partial(desk.do, "fill", target="input", value="{{secret:site}}"))
        await anyio.to_thread.run_sync(asked.wait)
        await desk.run("navigate", {"url": web.page("<title>other</title>")}, "other")
        allowed.set()
    held = await desk.do("evaluate", script="document.querySelector('input').value.length")
    assert held.text.startswith(str(len(VALUE)))


def test_a_secret_is_either_in_the_keyring_or_in_the_file(tmp_path: Path, ring: Ring) -> None:
    secrets, file = Secrets(tmp_path / "secrets.toml"), tmp_path / "secrets.toml"
    secrets.put("site", "https://a.test", "plain-one")
    secrets.put("site", "https://a.test", "ringed-two", keyring=True)
    assert (secrets.get("site").value, "plain-one" in file.read_text()) == ("ringed-two", False)
    secrets.put("site", "https://a.test", "plain-three")
    assert (secrets.get("site").value, ring.held) == ("plain-three", {})
    secrets.put("site.word", "https://a.test", "ringed-four", keyring=True)
    assert [secrets.get(name).value for name in ("site", "site.word")] == ["plain-three", "ringed-four"]
    secrets.remove("site")
    assert ring.held == {}
    with pytest.raises(NotFound):
        secrets.get("site.word")
    file.write_text('[old]\norigin = "https://a.test"\nkeyring = true\nuser = "grace"\n')
    ring.set_password("tabwright", "old.word", "ringed-five")
    assert [secrets.get(name).value for name in ("old.user", "old.word")] == ["grace", "ringed-five"]


def test_a_keyring_that_is_not_available_is_reported(tmp_path: Path) -> None:
    before, secrets = keyring.get_keyring(), Secrets(tmp_path / "secrets.toml")
    secrets.put("site", "https://a.test", "plain")
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call] # the library has no types here
    try:
        with pytest.raises(
            InvalidArgs, match=r"^The system keyring did not store site: .*Leave out --keyring"
        ):
            secrets.put("site", "https://a.test", "ringed", keyring=True)
        assert secrets.get("site").value == "plain"
        (tmp_path / "secrets.toml").write_text('[site]\norigin = "https://a.test"\nkeyring = true\n')
        with pytest.raises(Denied, match=r"^The system keyring did not return site: "):
            secrets.get("site")
    finally:
        keyring.set_keyring(before)


async def test_a_secret_that_a_page_groups_is_redacted_too(desk: Desk, web: Web) -> None:
    desk.secrets.put("card", web.url, "4711081500471108")
    script = "this.value = this.value.replace(/(.{4})(?=.)/g, '$1 ')"
    await desk.do(
        "navigate", url=web.page(f'<input aria-label=Card onchange="{script}"><button>Next</button>')
    )
    await desk.do("fill", target="input", value="{{secret:card}}")
    await desk.do("click", target="button")
    shown = await desk.do("get_value", target="input")
    assert shown.text == "[secret card]"
    assert "4711" not in everything_in(await desk.do("snapshot"))
