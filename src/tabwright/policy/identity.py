"""Who calls: the owner of sessions, with the rights that the way they came in gives them."""

from dataclasses import dataclass, field
from pathlib import Path

from tabwright.action import Action, Effect
from tabwright.errors import Denied

SCOPES = frozenset({"read", "act", "evaluate", "admin"})
_NEEDED = {Effect.READ: "read", Effect.ACT: "act", Effect.DESTROY: "act"}


@dataclass(frozen=True)
class Principal:
    """A caller: a name that owns sessions, scopes, and the folder that its files stay in."""

    name: str
    scopes: frozenset[str] = field(default=SCOPES)
    folder: Path | None = None

    def require(self, action: Action) -> None:
        """Refuse an action that the caller's scopes do not cover.

        Raises:
            Denied: naming the missing scope.
        """
        needed = "evaluate" if action.category == "script" else _NEEDED[action.effect]
        if needed not in self.scopes:
            raise Denied(f"{action.name} needs the scope {needed}.", hint="Ask for a token with that scope.")
