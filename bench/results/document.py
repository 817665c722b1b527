"""RESULTS.md: every budget with its measurement, then everything else that was measured."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
Figures = dict[str, Any]

OURS = "tabwright"
_UNITS = {"ms": (1_000.0, "ms"), "CPU ms": (1_000.0, "ms CPU"), "kB": (1e-3, "kB"), "MB": (1e-6, "MB")}
_HEAD = """# Benchmark results

Written by `make bench`; do not edit. Machines differ: only the ratios of one run are meaningful. Tokens are
characters / 4; figures are medians; x is our figure divided by theirs, lower is better.
"""
_ENGINE = """## Budgets of the engine, compared with Playwright for Python

The floor is the time of the fewest protocol calls, without checks, divided by Playwright's time: no lower
budget can be met.
"""
_PICTURES = "Screenshots are PNG of the same size; ours and those of the floor are compressed for speed.\n"
_GROWTH = """## Snapshots of larger and larger pages

![Time and tokens of a snapshot against the size of the page](snapshots.svg)
"""
_USER_CHROME = """## In the user's own Chrome

Whole calls through the extension, in turns with the same calls in a Chrome that we launched.
"""
_CORPORA = """## Pages that other people wrote

Written by `make corpora`. A part of each corpus is kept back from development; these are the figures of
the other part.
"""
# The rows of the README's table, with their labels.
_IN_README = {
    ("book a flight", "calls"): "search for a flight and choose one, on a new page: calls",
    ("book a flight", "tokens"): "the same: tokens",
    ("book a flight", "ms"): "the same: time",
    ("one step", "calls"): "act and learn what changed: calls",
    ("one step", "tokens"): "the same: tokens",
    ("click by ref, page changes", "ms"): "click, page changes",
    ("snapshot, products", "ms"): "snapshot of a shop, 240 products",
    ("snapshot, products", "tokens"): "the same: tokens",
    ("snapshot, table", "tokens"): "snapshot of a table, 2,000 rows: tokens",
    ("screenshot", "ms"): "screenshot",
    ("tools/list", "tokens"): "tool list",
    ("spawn to initialize, hub runs", "ms"): "start of another server, hub running",
    ("spawn to first page, cold", "ms"): "start to first page, cold",
    ("at the end", "MB"): "memory without Chrome",
}


def document(figures: Figures, corpora: dict[str, list[Row]] | None = None) -> str:
    """Return the whole document. The corpora may not have been measured."""
    mcp, engine, tools = figures["mcp"], figures["engine"], figures["page_tools"]
    parts = [
        _HEAD,
        _circumstances(figures),
        "## Budgets through MCP\n",
        _mcp_table(mcp, [row for row in mcp["rows"] if row["aim"]]),
        _ENGINE,
        _engine_table(engine),
        _PICTURES if any("of_floor" in operation for operation in engine["operations"]) else "",
        _fidelity(engine),
        "## Page tools\n",
        _page_tools(tools),
        _corpora(corpora or {}),
        _user_chrome(figures.get("user_chrome")),
        _GROWTH,
        "## Everything else measured through MCP\n",
        _mcp_table(mcp, [row for row in mcp["rows"] if not row["aim"]]),
        _left_out(mcp),
    ]
    return "\n".join(part for part in parts if part)


def readme_table(figures: Figures) -> str:
    """Return the table of the README."""
    rows = {(row["name"], row["kind"]): row for row in figures["mcp"]["rows"]}
    peers = list(figures["mcp"]["versions"])
    head = ["", *(f"{peer} {version}" for peer, version in figures["mcp"]["versions"].items())]
    lines = [
        [title, *(_figure(rows[key], peer) for peer in peers)]
        for key, title in _IN_README.items()
        if key in rows
    ]
    return _table(head, lines)


def _circumstances(figures: Figures) -> str:
    machine, engine, mcp = figures["machine"], figures["engine"], figures["mcp"]
    versions = {**engine["versions"], **mcp["versions"]}
    listed = ", ".join(f"{name} {version}" for name, version in versions.items())
    before, after = mcp["load"]
    return (
        f"{figures['date']}: {machine}. {engine['browser']}, the program {mcp['browser']}; {listed}. "
        f"Load {before:.1f} before the MCP part, {after:.1f} after; {mcp['rounds']} rounds.\n"
    )


def _mcp_table(mcp: Figures, rows: Iterable[Row]) -> str:
    others = [peer for peer in mcp["versions"] if peer != OURS]
    head = ["", OURS, *(word for peer in others for word in (peer, "x")), "budget", ""]
    return _table(head, [_mcp_cells(row, others) for row in rows])


def _mcp_cells(row: Row, others: Sequence[str]) -> list[str]:
    cells = [f"{row['name']}", _figure(row, OURS)]
    for peer in others:
        ratio = row["peers"].get(peer, {}).get("ratio")
        cells += [_figure(row, peer), "" if ratio is None else f"{ratio:.2g}"]
    return [*cells, *_budget(row, others)]


def _figure(row: Row, peer: str) -> str:
    if peer not in row["peers"]:
        return "-"
    value, unit = _scaled(row["kind"], row["peers"][peer]["p50"])
    return f"{value:,.{0 if value >= 10 or row['kind'] in {'tokens', 'calls'} else 1}f} {unit}"


def _scaled(kind: str, value: float) -> tuple[float, str]:
    """Return a figure in its display unit, and that unit."""
    if (kind, value) == ("calls", 1):
        return value, "call"
    scale, unit = _UNITS.get(kind, (1.0, kind))
    return value * scale, unit


def _budget(row: Row, others: Sequence[str]) -> tuple[str, str]:
    if not row["aim"]:
        return "", ""
    most, parts = row["aim"]["most"], row["aim"]["parts"]
    words = ["≤ {:,g} {}".format(*_scaled(row["kind"], most))] if most is not None else []
    shares = [f"{parts.get(peer):g}" if parts.get(peer) else "-" for peer in others]
    if any(parts.values()):
        words.append(f"≤ {' / '.join(shares)} x")
    missed = row["aim"]["missed"]
    return ", ".join(words), f"missed: {', '.join(missed)}" if missed else "met"


def _engine_table(engine: Figures) -> str:
    lines = []
    for operation in engine["operations"]:
        floor = operation["floor"]
        lines.append(
            [
                operation["operation"],
                f"{operation['ratio']:.2f}",
                "" if floor is None else f"{floor:.2f}",
                *_engine_budget(operation),
            ]
        )
    return _table(["", "x Playwright", "floor", "budget", ""], lines)


def _engine_budget(operation: Figures) -> tuple[str, str]:
    if (most := operation.get("of_floor_aim")) is not None:
        over = operation["of_floor"]
        return f"≤ {most:g} x floor", f"{'met' if over <= most else 'missed'}: {over:.2f}"
    if (aim := operation["aim"]) is None:
        return "", ""
    return f"≤ {aim:g}", "met" if operation["ratio"] <= aim else "missed"


def _fidelity(engine: Figures) -> str:
    shares = engine["fidelity"].values()
    if not shares:
        return ""
    precision = min(share["precision"] for share in shares)
    recall = min(share["recall"] for share in shares)
    verdict = "met" if min(precision, recall) >= 0.97 else "missed"
    return (
        "Roles and names that agree with Chrome's own accessibility tree, on the worst page: "
        f"precision {precision:.3f}, recall {recall:.3f} (budget ≥ 0.97: {verdict}). "
        + ", ".join(f"{label}: exponent {value:.2f}" for label, value in engine["exponents"].items())
        + ".\n"
    )


def _page_tools(tools: Figures) -> str:
    lines = [
        [what, f"{precision:.3f}", f"{recall:.3f}"] for what, (precision, recall) in tools["shares"].items()
    ]
    table = _table(["", "precision", "recall"], lines)
    times = (
        f"First list of a page: {1000 * tools['p50']:.0f} ms, 95th percentile {1000 * tools['p95']:.0f} ms"
    )
    return f"{table}\n{times}, over {len(tools['pages'])} pages (budget ≤ 50 ms).\n"


def _user_chrome(part: Figures | None) -> str:
    if part is None:
        return ""
    lines = [
        [
            row["name"],
            f"{1000 * row['user']:.1f} ms",
            f"{1000 * row['launched']:.1f} ms",
            f"{row['ratio']:.2g}",
        ]
        for row in part["rows"]
    ]
    return _USER_CHROME + "\n" + _table(["", "user's Chrome", "launched Chrome", "x"], lines)


def _corpora(corpora: dict[str, list[Row]]) -> str:
    if not corpora:
        return ""
    lines = [
        [
            f"{part}: {row['name']}",
            f"{row['value']:.3f}",
            f"{row['cases']:,}",
            "" if row["target"] is None else f"≥ {row['target']:g}",
            "" if row["target"] is None else "met" if row["value"] >= row["target"] else "missed",
        ]
        for part, rows in corpora.items()
        for row in rows
    ]
    return _CORPORA + "\n" + _table(["", "share", "cases", "target", ""], lines)


def _left_out(mcp: Figures) -> str:
    lines = [f"- {what}: {' '.join(why.split())[:200]}" for what, why in mcp["failures"].items()]
    return "\n".join(["## Left out\n", *lines, ""]) if lines else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(_lines(head, rows)) + "\n"


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|---|{'--:|' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
