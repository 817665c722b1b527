"""The caller: the owner of sessions, with the rights that its connection gives it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tabwright.action import Action
from tabwright.agent_browser.runner import Place
from tabwright.errors import Denied
from tabwright.policy.callers.tokens import SCOPES, Token

# Any one of these scopes is enough to run scripts; `policy.data.script_reach` decides how far they reach.
_RUN_SCRIPTS = frozenset(("read", "act", "evaluate"))


@dataclass(frozen=True)
class Principal:
    """A caller: a name that owns sessions, scopes, and the folder that its files stay in.

    `commands` is the environment of programs that run for it; None: it may not run programs. `counted`: its
    request was already counted against the rate limit, so the runner does not count it again. `connection`
    identifies a client that stays connected; commands of the shell and REST calls have none.
    """

    name: str
    scopes: frozenset[str] = field(default=frozenset(SCOPES))
    folder: Path | None = None
    commands: Mapping[str, str] | None = field(default=None, compare=False, repr=False)
    counted: bool = field(default=False, compare=False, repr=False)
    connection: str = field(default="", compare=False, repr=False)

    @classmethod
    def of(cls, token: Token) -> "Principal":
        """Return the holder of a token; one for `admin` may also do what `manage` allows."""
        folder = Path(token.folder) if token.folder else None
        more = ("manage",) if "admin" in token.scopes else ()
        return cls(f"token:{token.name}", frozenset((*token.scopes, *more)), folder)

    @classmethod
    def here(cls, name: str, folder: Path) -> "Principal":
        """Return a client of this computer that was started in a folder.

        Desktop clients start their servers in / or in the home folder. That is not meant to give pages every
        file there, so these folders do not count as the client's.
        """
        home = Path.home().resolve()
        return cls(name, folder=None if home.is_relative_to(folder.resolve()) else folder)

    @property
    def trusted(self) -> bool:
        """Whether it may act for the user of this computer, who owns the profiles."""
        return "admin" in self.scopes

    def without_manage(self) -> "Principal":
        """Return the same caller, who must ask before changing profiles or installing browsers."""
        return replace(self, scopes=self.scopes - {"manage"})

    def with_commands(self, environment: Mapping[str, str]) -> "Principal":
        """Return the same caller with the right to run programs."""
        return replace(self, commands=environment)

    def place(self) -> Place:
        """Return where programs run for the caller.

        Raises:
            Denied: it may not run programs.
        """
        if self.commands is None:
            raise Denied(
                "Programs run only for clients of this computer that chose the dialect agent_browser.",
                hint="Start one with `tabwright mcp --dialect agent_browser`, or use the other actions.",
            )
        if self.folder is None:
            raise Denied(
                "Programs run in the folder of their client; the home folder and / are excluded.",
                hint="Start the client in its working folder.",
            )
        return Place(self.folder, self.commands)

    def require(self, action: Action) -> None:
        """Refuse an action that the caller's scopes do not cover.

        Raises:
            Denied: naming the missing scope.
        """
        if action.scope == "evaluate" and self.scopes & _RUN_SCRIPTS:
            return
        self.require_scope(action.scope, action.name)

    def require_scope(self, scope: str, what: str) -> None:
        """Refuse what the caller's scopes do not cover."""
        if scope not in self.scopes:
            wanted = " ".join(f"--scope {one}" for one in SCOPES if one in {*self.scopes, scope})
            hint = f"Ask for a token with it: tabwright token create NAME {wanted}"
            raise Denied(f"{what} needs the scope {scope}.", hint=hint)


# A caller without a name and without any scope.
ANONYMOUS = Principal("", frozenset())
