"""The audit log: one line of JSON per action, without what was typed, readable by the user only."""

import json
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)


class AuditLog:
    """Appends lines to a file, and rotates it once it is full."""

    def __init__(self, file: Path, *, max_bytes: int = 10_000_000, max_old_files: int = 4) -> None:
        self._file = file
        self._max_bytes = max_bytes
        self._max_old_files = max_old_files

    def write(self, line: Mapping[str, Any]) -> None:
        """Write one line. If that fails, the failure is logged and the call goes on."""
        stamped = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **line}
        try:
            self._append(json.dumps(stamped, default=str).encode() + b"\n")
        except OSError as error:
            log.warning("cannot write to the audit log: %s", error)

    def _append(self, line: bytes) -> None:
        # Opened for each line, because another process may have rotated the file.
        file = os.open(
            self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
        try:
            os.fchmod(file, 0o600)
            os.write(file, line)
            full = os.fstat(file).st_size >= self._max_bytes
        finally:
            os.close(file)
        if full:
            self._rotate()

    def _rotate(self) -> None:
        for number in range(self._max_old_files - 1, 0, -1):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        self._file.replace(self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._file.with_name(f"{self._file.stem}.{number}{self._file.suffix}")
