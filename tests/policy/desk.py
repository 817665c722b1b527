"""A runner with secrets and an audit log, for tests."""

from pathlib import Path
from typing import Any

from tabwright.actions import CATALOG
from tabwright.artifacts import Artifacts
from tabwright.browser.tab import Tab
from tabwright.call import Answer, Call
from tabwright.policy.callers.audit_log import AuditLog
from tabwright.policy.callers.principal import Principal
from tabwright.policy.data.secret_store import Secrets
from tabwright.policy.data.secret_typing import SecretTyping
from tabwright.runner import Runner
from tabwright.sessions.registry import Sessions


class Desk:
    """A runner with secrets and an audit log."""

    def __init__(self, sessions: Sessions, folder: Path) -> None:
        self.secrets = Secrets(folder / "secrets.toml")
        self.log = folder / "audit.jsonl"
        self.runner = Runner(
            CATALOG, sessions, Artifacts(), audit=AuditLog(self.log), secrets=SecretTyping(self.secrets)
        )

    async def do(self, action: str, **args: Any) -> Answer:
        return await self.run(action, args)

    async def run(self, action: str, args: dict[str, Any], session: str | None = None) -> Answer:
        call = Call(action=action, args=args, principal=Principal("local:test"), session=session, door="test")
        return await self.runner.run(call)

    async def tab(self) -> Tab:
        """Return the current tab of the default session, for use as its owner."""
        (session,) = self.runner.sessions
        return await session.tab()
