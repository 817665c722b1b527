"""The child process that parses one document: a request on stdin, the answer as JSON on stdout.

It runs with little memory and processor time. It writes no file and opens no connection.
"""

import io
import json
import sys
import zipfile
from typing import Any

from tabwright.documents.parsed import Parsed, Parser, Request

_MEMORY = 1_500 * 1024 * 1024
_PROCESSOR_SECONDS = 60
_MAX_UNPACKED = 300 * 1024 * 1024
_MAX_MEMBERS = 20_000


def _main() -> None:
    _limit_resources()
    request = Request(**json.loads(sys.stdin.buffer.readline()))
    answer = _answer(sys.stdin.buffer.read(), request)
    sys.stdout.buffer.write(json.dumps(answer).encode())


def _limit_resources() -> None:
    import resource  # noqa: PLC0415 - not on Windows, and only the child needs it

    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_SECONDS, _PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform == "linux":  # macOS refuses it
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _answer(content: bytes, request: Request) -> dict[str, Any]:
    kind = kind_of(content, request.name)
    if kind in ("", "large"):
        return {"fault": kind or "unknown"}
    try:
        parsed = _parser(kind)(content, request)
    except ModuleNotFoundError:
        return {"fault": "missing", "kind": kind}
    if request.first > max(parsed.count, 1):
        return {"fault": "range", "count": parsed.count, "unit": parsed.unit}
    return _collect(parsed, request.characters)


def _collect(parsed: Parsed, characters: int) -> dict[str, Any]:
    parts = []
    for label, text in parsed.parts:
        if len(text) > characters:
            parsed.notes.append(f"The rest of {label or 'the document'} is too long")
        parts.append({"label": label, "text": text[:characters]})
        characters -= len(text)
        if characters <= 0:
            break
    return {
        "unit": parsed.unit,
        "count": parsed.count,
        "title": parsed.title,
        "parts": parts,
        "notes": parsed.notes,
    }


def kind_of(content: bytes, name: str) -> str:
    """Return the kind of a document by its bytes: "PDF", "DOCX", "XLSX", "CSV", "large" or ""."""
    if b"%PDF-" in content[:1024]:
        return "PDF"
    if content.startswith(b"PK\x03\x04"):
        return _kind_of_archive(content)
    is_text = name.lower().endswith((".csv", ".tsv")) and b"\x00\x00" not in content[:4096]
    return "CSV" if is_text else ""


def _kind_of_archive(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    if len(members) > _MAX_MEMBERS or sum(member.file_size for member in members) > _MAX_UNPACKED:
        return "large"
    names = {member.filename for member in members}
    return "DOCX" if "word/document.xml" in names else "XLSX" if "xl/workbook.xml" in names else ""


def _parser(kind: str) -> Parser:
    """Return the parser of a kind; its packages take long to import."""
    if kind == "PDF":
        from tabwright.documents.pdf import parse_pdf  # noqa: PLC0415 - optional packages

        return parse_pdf
    if kind == "DOCX":
        from tabwright.documents.word import parse_docx  # noqa: PLC0415 - optional packages

        return parse_docx
    from tabwright.documents.sheets import parse_csv, parse_xlsx  # noqa: PLC0415 - optional packages

    return parse_csv if kind == "CSV" else parse_xlsx


if __name__ == "__main__":
    _main()
