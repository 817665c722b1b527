"""The component libraries: a folder for each, with the source of its page and its goals."""

import importlib
import tomllib
from functools import partial
from pathlib import Path

from tests.components.goals import Goal
from tests.web import Request, Response, Web

FOLDER = Path(__file__).parent
BUILT = FOLDER.parents[1] / ".stamps/components/dist"
LIBRARIES = sorted(path.parent.name for path in FOLDER.glob("*/goals.py"))
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}


def goals_of(library: str) -> list[Goal]:
    """Return the goals of a library."""
    goals: list[Goal] = importlib.import_module(f"tests.components.{library}.goals").GOALS
    return goals


def known_failures() -> dict[str, dict[str, str]]:
    """Return for each library the goals that are not reached yet, with the reason."""
    return tomllib.loads((FOLDER / "known.toml").read_text())


def serve_page(web: Web, library: str) -> str:
    """Serve the page of a library and return its URL."""
    own = FOLDER / library / "page.html"
    body = own.read_text() if own.exists() else "<div id=root></div>"
    head = f"<html lang=en><title>{library}</title>"
    for file in (BUILT / library).iterdir():
        path = f"/{library}/{file.name}"
        web.route(path, partial(_send, file))
        if file.suffix == ".css":
            head += f"<link rel=stylesheet href={path}>"
    return web.page(f"{head}<body>{body}<script src=/{library}/page.js></script>", f"/{library}")


def _send(file: Path, _: Request) -> Response:
    return Response(file.read_bytes(), headers={"content-type": TYPES[file.suffix]})
