"""What the running call may do in a tab: read files, run scripts, fill in secrets, send input.

The runner grants permissions to each call. Without a grant, code that uses the engine directly may do
everything, and nothing is allowed in the context of a session (`Context.require_grants`).
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path

from tabwright.browser.find.approved import Approved
from tabwright.browser.find.origin_guard import OriginGuard
from tabwright.browser.page.script_sandbox import Reach
from tabwright.errors import Denied

FillSecrets = Callable[[str], AbstractAsyncContextManager[str]]


@dataclass(frozen=True)
class CallPermissions:
    """The permissions of one call. The defaults allow everything.

    Attributes:
        read_file: returns the real location of a file for the page, or raises Denied.
        script_reach: how far scripts of the caller reach.
        fill_secrets: replaces names of secrets in a text for as long as the block runs.
        origin_guard: the origins that may receive input.
        secrets: the values of the stored secrets that the call named. While there are any, text is typed by
            `input.secret_text` only.
        hidden_fields_only: whether they are typed only into fields that hide their text.
        withheld: what needs approval by a person and was not approved for this call, such as `press`.
        approved: what a person approved for this call; None if it needs no approval.
    """

    read_file: Callable[[str], Path] = Path
    script_reach: Reach = field(default_factory=Reach)
    fill_secrets: FillSecrets = nullcontext
    origin_guard: OriginGuard = field(default_factory=OriginGuard)
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    hidden_fields_only: bool = False
    withheld: frozenset[str] = frozenset()
    approved: Approved | None = field(default=None, repr=False)

    def within(self, origins: frozenset[str]) -> "CallPermissions":
        """Return the same permissions with input limited to these origins."""
        return replace(self, origin_guard=self.origin_guard.narrow(origins))

    def require_approval(self, operation: str) -> None:
        """Refuse what needs approval and was not approved.

        Raises:
            Denied: it was not.
        """
        if operation in self.withheld:
            raise Denied(
                f"This would {operation} something, which needs approval by a person.",
                hint="Use an action that asks for it, such as click.",
            )


ALL = CallPermissions()


@dataclass
class _Grant:
    permissions: CallPermissions | None


# Each task has its own value, so calls on one tab at the same time do not share permissions.
_grant: ContextVar[_Grant | None] = ContextVar("tabwright_grant", default=None)


@contextmanager
def granted(permissions: CallPermissions) -> Iterator[None]:
    """Grant permissions to the current task and the tasks it starts, until the block ends."""
    grant = _Grant(permissions)
    token = _grant.set(grant)
    try:
        yield
    finally:
        _grant.reset(token)
        grant.permissions = None  # a task that outlives the call keeps its context, but loses the grant


def current_permissions() -> CallPermissions | None:
    """Return the permissions of the running call; None outside of a call."""
    grant = _grant.get()
    return grant.permissions if grant is not None else None
