"""Files that actions make (pictures, PDFs, full outputs): kept for a while under readable names."""

import base64
import itertools
from collections import OrderedDict

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from tabwright.errors import NotFound

ARTIFACTS = "tabwright://artifacts/"
_MOST_CHARACTERS = 128 * 1024 * 1024


class Artifact(BaseModel):
    """A file made by an action. Its content is no field: doors decide how to deliver it."""

    model_config = ConfigDict(frozen=True)

    name: str = Field(description="Name in the store, such as screenshot-3.jpg.")
    mime: str = Field(description="Media type.")
    size: int = Field(description="Bytes.")
    # Base64 as Chrome sends it and MCP wants it, so that most content is never decoded.
    _encoded: str = PrivateAttr("")

    @classmethod
    def of(cls, name: str, mime: str, encoded: str) -> "Artifact":
        """Make one of base64 content."""
        artifact = cls(name=name, mime=mime, size=len(encoded) * 3 // 4 - encoded.count("=", -2))
        artifact._encoded = encoded
        return artifact

    @property
    def encoded(self) -> str:
        """The content in base64."""
        return self._encoded

    @property
    def content(self) -> bytes:
        """The content."""
        return base64.b64decode(self._encoded)

    @property
    def uri(self) -> str:
        """The address of the MCP resource."""
        return f"{ARTIFACTS}{self.name}"


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
        stem, dot, suffix = artifact.name.rpartition(".")
        kept = artifact.model_copy(update={"name": f"{stem}-{next(self._numbers)}{dot}{suffix}"})
        self._kept[kept.name] = owner, kept
        self._size += len(kept.encoded)
        while self._size > _MOST_CHARACTERS and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self._size -= len(dropped.encoded)
        return kept

    def get(self, name: str, owner: str) -> Artifact:
        """Return the owner's file of that name; another's is as if it were not there."""
        whose, artifact = self._kept.get(name, (None, None))
        if artifact is None or whose != owner:
            raise NotFound(f"{name} is not kept any more.", hint="Make it again.")
        return artifact
