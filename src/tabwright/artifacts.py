"""Files that actions create (screenshots, PDFs, whole outputs, downloads), stored in memory for a while."""

import base64
import itertools
import mimetypes
import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from tabwright.errors import NotFound
from tabwright.hygiene import is_short_name

ARTIFACTS = "tabwright://artifacts/"
_TEXTS = ("text/", "application/json")
_MAX_CHARACTERS = 8 * 1024 * 1024
# Files on disk take no memory, but are counted.
_MAX_FILES = 2_000
_MAX_SUFFIX_LENGTH = 10


class Artifact(BaseModel):
    """A file created by an action. Its content is not a field, because doors decide how to deliver it."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="Name in the store, such as screenshot-3.jpg.")
    mime: str = Field(description="Media type.")
    size: int = Field(description="Bytes.")
    # Base64 as Chrome sends it and MCP wants it, so that most content is never decoded.
    _encoded: str = PrivateAttr("")
    _path: Path | None = PrivateAttr(None)

    @classmethod
    def of(cls, name: str, mime: str, encoded: str) -> "Artifact":
        """Create one from base64 content."""
        artifact = cls(name=name, mime=mime, size=len(encoded) * 3 // 4 - encoded.count("=", -2))
        artifact._encoded = encoded
        return artifact

    @classmethod
    def at(cls, path: Path) -> "Artifact":
        """Refer to a file on disk, such as a download."""
        mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        # The site chose the name, and lists of resources have no markers for text of pages.
        short = is_short_name(path.stem) and len(path.suffix) <= _MAX_SUFFIX_LENGTH
        name = path.name if short else f"download{path.suffix[:_MAX_SUFFIX_LENGTH]}"
        artifact = cls(name=name, mime=mime, size=path.stat().st_size)
        artifact._path = path
        return artifact

    def with_text(self, change: Callable[[str], str]) -> "Artifact":
        """Return it with its text changed; unchanged if it is on disk or not text."""
        if self._path is not None or not self.mime.startswith(_TEXTS):
            return self
        text = change(self.content.decode(errors="replace"))
        return Artifact.of(self.name, self.mime, base64.b64encode(text.encode()).decode())

    @property
    def path(self) -> Path | None:
        """Where it is, if it is on disk."""
        return self._path

    @property
    def stored(self) -> str:
        """The content in base64; empty if it is on disk."""
        return self._encoded

    @property
    def encoded(self) -> str:
        """The content in base64."""
        if self._path is None:
            return self._encoded
        try:
            return base64.b64encode(self._path.read_bytes()).decode()
        except OSError as error:
            raise NotFound(f"{self._path} no longer exists.", hint="Download it again.") from error

    @property
    def content(self) -> bytes:
        """The content."""
        return base64.b64decode(self.encoded)

    @property
    def uri(self) -> str:
        """The address of the MCP resource."""
        return f"{ARTIFACTS}{self.name}"

    def as_json(self, *, with_content: bool) -> dict[str, Any]:
        """Describe the file, with its URL at the REST API or with its content.

        A file on disk is given by its path instead of its content.
        """
        described = {**self.model_dump(), "uri": self.uri}
        if not with_content:
            return {**described, "url": f"/api/files/{self.name}"}
        return {**described, **({"path": str(self._path)} if self._path else {"content": self._encoded})}


class Artifacts:
    """The store. Each file belongs to one owner; the oldest are dropped for new ones."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, tuple[str, Artifact]] = OrderedDict()
        self._numbers = itertools.count(1)
        self._size = 0

    def of_owner(self, owner: str) -> tuple[Artifact, ...]:
        """Return the files of one owner, oldest first."""
        return tuple(artifact for whose, artifact in self._files.values() if whose == owner)

    def add(self, artifact: Artifact, owner: str) -> Artifact:
        """Store a file under a unique name: `screenshot.jpg` becomes `screenshot-3.jpg`."""
        stem, dot, suffix = re.sub(r"[^\w.-]", "_", artifact.name, flags=re.ASCII).rpartition(".")
        stored = artifact.model_copy(update={"name": f"{stem}-{next(self._numbers)}{dot}{suffix}"})
        self._files[stored.name] = owner, stored
        self._size += len(stored.stored)
        while (self._size > _MAX_CHARACTERS and len(self._files) > 1) or len(self._files) > _MAX_FILES:
            _, (_, dropped) = self._files.popitem(last=False)
            self._size -= len(dropped.stored)
        return stored

    def get(self, name: str, owner: str) -> Artifact:
        """Return the owner's file of that name; files of others are not found."""
        whose, artifact = self._files.get(name, (None, None))
        if artifact is None or whose != owner:
            raise NotFound(f"{name} is no longer stored.", hint="Create it again.")
        return artifact
