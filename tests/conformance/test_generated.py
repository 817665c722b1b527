"""Generated files are fresh, and the catalogue has everything they need."""

import pytest

from scripts import catalogue
from tabwright.action import Action
from tabwright.actions import CATALOG
from tabwright.doors.cli import commands
from tabwright.settings import Settings

ACTIONS = {action.name: action for action in CATALOG}


def test_every_generated_file_is_fresh() -> None:
    wanted = catalogue.files()
    stale = [path.name for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    assert (stale, catalogue.obsolete_snapshots(wanted)) == ([], []), "Run make gen."


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_every_field_of_an_action_is_described(action: Action) -> None:
    fields = {**action.args.model_fields, **action.result.model_fields}
    assert [name for name, field in fields.items() if not field.description] == []


def test_every_setting_is_described() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


def test_no_action_has_the_name_of_a_command() -> None:
    assert [command.name for command in commands.OWN if command.name in CATALOG] == []


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_no_field_has_the_name_of_a_common_flag(action: Action) -> None:
    assert set(action.args.model_fields) & {field.name for field in commands.SHARED_FLAGS} == set()
