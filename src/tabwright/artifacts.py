"""Files that actions make (pictures, PDFs, whole outputs, downloads): kept for a while by readable names."""

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

ARTIFACTS = "tabwright://artifacts/"
_TEXTS = ("text/", "application/json")
_MOST_CHARACTERS = 8 * 1024 * 1024
# Files that stay where they are take no room here, but are counted.
_MOST = 2_000


class Artifact(BaseModel):
    """A file made by an action. Its content is no field: doors decide how to deliver it."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="Name in the store, such as screenshot-3.jpg.")
    mime: str = Field(description="Media type.")
    size: int = Field(description="Bytes.")
    # Base64 as Chrome sends it and MCP wants it, so that most content is never decoded.
    _encoded: str = PrivateAttr("")
    _path: Path | None = PrivateAttr(None)

    @classmethod
    def of(cls, name: str, mime: str, encoded: str) -> "Artifact":
        """Make one of base64 content."""
        artifact = cls(name=name, mime=mime, size=len(encoded) * 3 // 4 - encoded.count("=", -2))
        artifact._encoded = encoded
        return artifact

    @classmethod
    def at(cls, path: Path) -> "Artifact":
        """Stand for a file that stays where it is, such as a download."""
        mime = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        artifact = cls(name=path.name, mime=mime, size=path.stat().st_size)
        artifact._path = path
        return artifact

    def rewritten(self, change: Callable[[str], str]) -> "Artifact":
        """Return the same with its text changed; what is no text, or lies elsewhere, stays as it is."""
        if self._path is not None or not self.mime.startswith(_TEXTS):
            return self
        text = change(self.content.decode(errors="replace"))
        return Artifact.of(self.name, self.mime, base64.b64encode(text.encode()).decode())

    @property
    def path(self) -> Path | None:
        """Where a file is that stays where it is."""
        return self._path

    @property
    def held(self) -> str:
        """As much of the content as we hold ourselves, in base64: all, or nothing of a file elsewhere."""
        return self._encoded

    @property
    def encoded(self) -> str:
        """The content in base64."""
        if self._path is None:
            return self._encoded
        try:
            return base64.b64encode(self._path.read_bytes()).decode()
        except OSError as error:
            raise NotFound(f"{self._path} is not there any more.", hint="Download it again.") from error

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
    """The store: each file is its owner's alone. The oldest files make room for new ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, Artifact]] = OrderedDict()
        self._numbers = itertools.count(1)
        self._size = 0

    def of(self, owner: str) -> tuple[Artifact, ...]:
        """Return the files of one owner, oldest first."""
        return tuple(artifact for whose, artifact in self._kept.values() if whose == owner)

    def add(self, artifact: Artifact, owner: str) -> Artifact:
        """Keep a file under a name of its own: `screenshot.jpg` becomes `screenshot-3.jpg`."""
        stem, dot, suffix = re.sub(r"[^\w.-]", "_", artifact.name, flags=re.ASCII).rpartition(".")
        kept = artifact.model_copy(update={"name": f"{stem}-{next(self._numbers)}{dot}{suffix}"})
        self._kept[kept.name] = owner, kept
        self._size += len(kept.held)
        while (self._size > _MOST_CHARACTERS and len(self._kept) > 1) or len(self._kept) > _MOST:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._size -= len(dropped.held)
        return kept

    def get(self, name: str, owner: str) -> Artifact:
        """Return the owner's file of that name; another's is as if it were not there."""
        whose, artifact = self._kept.get(name, (None, None))
        if artifact is None or whose != owner:
            raise NotFound(f"{name} is not kept any more.", hint="Make it again.")
        return artifact
