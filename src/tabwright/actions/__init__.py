"""The catalogue: every action, collected from the modules of this package."""

from tabwright.action import Catalog
from tabwright.actions import (
    batching,
    capturing,
    console,
    dialogs,
    emulating,
    extracting,
    files,
    looking,
    navigation,
    network,
    pointer,
    reading,
    script,
    sessions,
    storage,
    tabs,
    typing,
    waiting,
)

CATALOG = Catalog(
    navigation,
    reading,
    extracting,
    pointer,
    typing,
    waiting,
    capturing,
    looking,
    tabs,
    dialogs,
    script,
    files,
    console,
    network,
    storage,
    emulating,
    sessions,
    batching,
)
