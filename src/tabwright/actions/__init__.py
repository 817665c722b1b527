"""The catalogue: every action, collected from the modules of this package."""

from tabwright.action import Catalog
from tabwright.actions import (
    batching,
    dialogs,
    extracting,
    navigation,
    pointer,
    reading,
    script,
    sessions,
    tabs,
    typing,
)

CATALOG = Catalog(navigation, reading, extracting, pointer, typing, tabs, dialogs, script, sessions, batching)
