"""Fills secrets into the arguments of actions that type, and keeps them out of every answer and log."""

import base64
import dataclasses
import html
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus

import anyio.to_thread
from pydantic import BaseModel

from tabwright.action import Args
from tabwright.artifacts import Artifact
from tabwright.browser.call_permissions import CallPermissions, current_permissions, granted
from tabwright.browser.tab import Tab
from tabwright.errors import Denied, InvalidArgs, TabwrightError
from tabwright.fields import Typed
from tabwright.policy.data.secret_store import Secret, Secrets

_PLACEHOLDER = re.compile(r"\{\{\s*secret:([A-Za-z0-9_.-]+)\s*\}\}")
# Pages and snapshots cut long texts, so the start of a secret alone is redacted too.
_MIN_START = 16
_MIN_GROUPED = 8
T = TypeVar("T")


class SecretTyping:
    """The secrets, and the values that were used since the hub started."""

    def __init__(self, secrets: Secrets | None = None) -> None:
        self._secrets = secrets or Secrets()
        self._patterns: dict[str, tuple[str, re.Pattern[str]]] = {}

    @asynccontextmanager
    async def fill(self, args: Args, tab: Tab | None) -> AsyncIterator[Args]:
        """Replace names of secrets by their values while the block runs, and limit input to their origins.

        Raises:
            NotFound: there is no secret of that name.
            InvalidArgs: no element is named to type it into.
        """
        typed = _typed_args(args)
        if tab is None or not typed:
            yield args
            return
        if tab.declared is not None and _names(typed):
            raise Denied(
                "Secrets are not passed to an extension other than Tabwright's own.",
                hint="Ask the user to type it.",
            )
        for_tool = any(isinstance(held, dict) for held in typed.values())
        if not for_tool and not getattr(args, "target", None) and _names(typed):
            raise InvalidArgs("A secret is typed into a named element only.", hint="Give its target.")
        async with self._fill_texts(typed) as filled:
            # A page tool may name secrets itself.
            allowed = replace(_permissions(), fill_secrets=self._fill_texts) if for_tool else _permissions()
            with granted(allowed):
                yield args if filled is typed else args.model_copy(update=filled)

    @asynccontextmanager
    async def _fill_texts(self, typed: T) -> AsyncIterator[T]:
        names = _names(typed)
        if not names:
            yield typed
            return
        used = {name: await self._secret(name) for name in names}
        for secret in used.values():
            self._patterns[secret.value] = (secret.name, _pattern(secret.value))
        origins = frozenset.intersection(*(secret.origins for secret in used.values()))
        values = frozenset(secret.value for secret in used.values())
        allowed = replace(_permissions().within(origins), secrets=_permissions().secrets | values)
        with granted(allowed):
            yield _map_texts(typed, lambda text: _with_values(text, used))

    async def _secret(self, name: str) -> Secret:
        """Read one in a thread, because a keyring may ask the user first."""
        return await anyio.to_thread.run_sync(self._secrets.get, name, abandon_on_cancel=True)

    def redact(self, value: T) -> T:
        """Return a value without any secret that was used, wherever it appears."""
        return _map_texts(value, self._without) if self._patterns else value

    def redact_error(self, error: TabwrightError) -> None:
        """Remove secrets from the texts of an error."""
        error.message, error.hint = self.redact(error.message), self.redact(error.hint)

    def _without(self, text: str) -> str:
        for name, pattern in self._patterns.values():
            text = pattern.sub(f"[secret {name}]", text)
        return text


def _typed_args(args: Args) -> dict[str, Any]:
    """Return the arguments that are typed into the page."""
    fields = type(args).model_fields.items()
    return {
        name: getattr(args, name)
        for name, field in fields
        if any(isinstance(mark, Typed) for mark in field.metadata)
    }


def _permissions() -> CallPermissions:
    permissions = current_permissions()
    assert permissions is not None, "secrets are filled in during calls only"
    return permissions


def _names(typed: Any) -> frozenset[str]:
    """Return the names of all secrets in the typed arguments."""
    names: list[str] = []

    def collect(text: str) -> str:
        names.extend(_PLACEHOLDER.findall(text))
        return text

    _map_texts(typed, collect)
    return frozenset(names)


def _with_values(text: str, used: dict[str, Secret]) -> str:
    return _PLACEHOLDER.sub(lambda named: used[named[1]].value, text)


def _pattern(value: str) -> re.Pattern[str]:
    """Match a value, also as pages, URLs and JSON write it."""
    written = {
        value,
        quote(value),
        quote(value, safe=""),
        quote_plus(value),
        html.escape(value),
        html.escape(value, quote=False),
        json.dumps(value)[1:-1],
        json.dumps(value, ensure_ascii=False)[1:-1],
        base64.b64encode(value.encode()).decode(),
    }
    whole = [re.escape(form) for form in sorted(written, key=len, reverse=True)]
    # Pages group the characters of card numbers, codes and account numbers.
    compact = re.sub(r"[\s-]", "", value)
    if len(compact) >= _MIN_GROUPED:
        whole.append(r"[\s-]?".join(map(re.escape, compact)))
    starts = [rf"{re.escape(value[:_MIN_START])}\S*"] if len(value) > _MIN_START else []
    return re.compile("|".join([*whole, *starts]))


def _map_model(value: BaseModel, change: Any) -> BaseModel:
    if isinstance(value, Artifact):
        return value.with_text(change)
    return value.model_copy(update={name: _map_texts(held, change) for name, held in vars(value).items()})


def _map_texts(value: Any, change: Any) -> Any:
    """Return the value with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, BaseModel):
        return _map_model(value, change)
    if isinstance(value, dict):
        return {_map_texts(name, change): _map_texts(held, change) for name, held in value.items()}
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(_map_texts(held, change) for held in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            field.name: _map_texts(getattr(value, field.name), change)
            for field in dataclasses.fields(value)
            if field.init
        }
        return dataclasses.replace(value, **fields)
    return value
