"""The catalogue: every action, collected from the modules of this package."""

from tabwright.action import Catalog
from tabwright.actions import dialogs, navigation, pointer, reading, script, tabs, typing

CATALOG = Catalog(navigation, reading, pointer, typing, tabs, dialogs, script)
