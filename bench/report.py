"""The tables that `make bench` prints, and the same figures as JSON."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.fidelity import Fidelity
from bench.floor import FLOOR
from bench.growth import Step
from bench.measure import Cell, exponent, mean_ratio, p50, p95
from bench.operations import OPERATIONS, Operation
from bench.table import align_columns

_BUSY = 0.3
_MIN_BYTES = 1024  # below this, growth of memory is noise


@dataclass(frozen=True)
class Report:
    """All results of one run of two peers."""

    browser: str
    versions: dict[str, str]
    sizes: dict[str, int]
    cells: Sequence[Cell]
    steps: Sequence[Step]
    fidelity: dict[str, Fidelity]
    busy: float  # load per core before the run
    ours: str
    theirs: str

    def __str__(self) -> str:
        parts = (self._head(), self._table(), self._pages(), self._growth())
        return "\n\n".join("\n".join(part) for part in parts if part)

    def json(self) -> dict[str, Any]:
        """Every figure of the tables, in seconds and bytes."""
        return {
            "browser": self.browser,
            "versions": self.versions,
            "busy": self.busy,
            "operations": [
                self._operation_json(operation, cells) for operation, cells in self._by_operation()
            ],
            "pages": [{"elements": self.sizes.get(cell.page), **_cell_json(cell)} for cell in self.cells],
            "fidelity": {page: share._asdict() for page, share in self.fidelity.items()},
            "growth": [_step_json(step) for step in self.steps],
            "exponents": dict(self._exponents()),
        }

    def _head(self) -> list[str]:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        lines = [
            f"{self.browser}: {versions}. Milliseconds; ratio is ours to theirs, lower is better.",
            "The floor is the time of the fewest protocol calls, without checks: no lower budget can be met.",
        ]
        if self.busy > _BUSY:
            lines.append(
                f"The computer was busy before the run ({self.busy:.1f} per core): figures are rough."
            )
        return lines

    def _table(self) -> list[str]:
        ours, theirs = self.ours, self.theirs
        rows = [
            [
                "operation",
                f"{ours} p50",
                "p95",
                f"{theirs} p50",
                "p95",
                "ratio",
                "floor",
                "worst page",
                "aim",
                "",
            ]
        ]
        for operation, cells in self._by_operation():
            ratio = mean_ratio(cells, ours, theirs)
            worst = max(cells, key=lambda cell: cell.ratio(ours, theirs))
            rows.append(
                [
                    operation.name,
                    *_p50_p95(cells, ours),
                    *_p50_p95(cells, theirs),
                    f"{ratio:.2f}",
                    self._floor(cells),
                    f"{worst.ratio(ours, theirs):.2f} {worst.page}" if len(cells) > 1 else "",
                    *self._budget(operation, cells),
                ]
            )
        return list(align_columns(rows))

    def _budget(self, operation: Operation, cells: list[Cell]) -> tuple[str, str]:
        """Return the budget, relative to Playwright or to the floor, and whether it was met."""
        if operation.of_floor and self._floor(cells):
            over = mean_ratio(cells, self.ours, FLOOR)
            return f"{operation.of_floor:.2f} x floor", f"{_verdict(over, operation.of_floor)} ({over:.2f})"
        aim = operation.aim
        return f"{aim:.2f}" if aim else "", _verdict(mean_ratio(cells, self.ours, self.theirs), aim)

    def _floor(self, cells: list[Cell]) -> str:
        if any(FLOOR not in cell.samples for cell in cells):
            return ""
        return f"{mean_ratio(cells, FLOOR, self.theirs):.2f}"

    def _pages(self) -> list[str]:
        """The ratio of every operation on every page."""
        if not self.sizes:
            return []
        ratios = {(cell.page, cell.operation): cell.ratio(self.ours, self.theirs) for cell in self.cells}
        on_pages = {cell.operation for cell in self.cells if cell.page in self.sizes}
        columns = [operation.name for operation in OPERATIONS if operation.name in on_pages]
        rows = [["ratio on page", "elements", *columns, "precision", "recall"]]
        for page, size in self.sizes.items():
            fidelity = (f"{share:.3f}" for share in self.fidelity.get(page, ()))
            row = [page, str(size), *(f"{ratios[page, column]:.2f}" for column in columns), *fidelity]
            rows.append(row + [""] * (len(rows[0]) - len(row)))
        cut = ", ".join(f"{peer} on {cell.page}" for cell in self.cells for peer in cell.cut)
        return [*align_columns(rows), *([f"snapshot cut short, not comparable: {cut}"] if cut else [])]

    def _growth(self) -> list[str]:
        if not self.steps:
            return []
        ours, theirs = self.ours, self.theirs
        columns: dict[str, Callable[[Step], str]] = {
            "snapshot of": lambda step: f"{step.elements} elements",
            f"{ours} ms": lambda step: f"{1000 * step.seconds(ours):.1f}",
            f"{theirs} ms": lambda step: f"{1000 * step.seconds(theirs):.1f}",
            "ratio": lambda step: f"{step.seconds(ours) / step.seconds(theirs):.2f}",
            "our text kB": lambda step: f"{step.letters[ours] / 1000:.0f}",
            "their text kB": lambda step: f"{step.letters[theirs] / 1000:.0f}",
            "our peak kB": lambda step: f"{step.python_peak[ours] / 1000:.0f}",
            "kept in page kB": lambda step: f"{step.heap_kept[ours] / 1000:.0f}",
        }
        rows = [list(columns), *([cell(step) for cell in columns.values()] for step in self.steps)]
        slopes = ", ".join(f"{label} {slope:.2f}" for label, slope in self._exponents())
        return [*align_columns(rows), f"growth exponent (1 is linear): {slopes}"]

    def _exponents(self) -> Iterator[tuple[str, float]]:
        sizes = [step.elements for step in self.steps]
        if len(sizes) < 2:
            return
        for peer in (self.ours, self.theirs):
            yield f"{peer} time", exponent(sizes, [step.seconds(peer) for step in self.steps])
        yield "our peak memory", exponent(sizes, [step.python_peak[self.ours] for step in self.steps])
        heaps = [max(_MIN_BYTES, step.heap_kept[self.ours]) for step in self.steps]
        yield "page heap", exponent(sizes, heaps)

    def _by_operation(self) -> Iterator[tuple[Operation, list[Cell]]]:
        for operation in OPERATIONS:
            if cells := [cell for cell in self.cells if cell.operation == operation.name]:
                yield operation, cells

    def _operation_json(self, operation: Operation, cells: list[Cell]) -> dict[str, Any]:
        ratio = mean_ratio(cells, self.ours, self.theirs)
        floored = all(FLOOR in cell.samples for cell in cells)
        floor = mean_ratio(cells, FLOOR, self.theirs) if floored else None
        figures = {"operation": operation.name, "ratio": ratio, "aim": operation.aim, "floor": floor}
        if operation.of_floor and floored:
            figures |= {"of_floor": mean_ratio(cells, self.ours, FLOOR), "of_floor_aim": operation.of_floor}
        return figures


def _verdict(ratio: float, aim: float | None) -> str:
    if aim is None:
        return ""
    return "met" if ratio <= aim else "missed"


def _pooled(cells: Sequence[Cell], peer: str) -> list[float]:
    return [sample for cell in cells for sample in cell.samples[peer]]


def _p50_p95(cells: Sequence[Cell], peer: str) -> tuple[str, str]:
    samples = _pooled(cells, peer)
    return f"{1000 * p50(samples):.1f}", f"{1000 * p95(samples):.1f}"


def _cell_json(cell: Cell) -> dict[str, Any]:
    figures = {
        peer: {"p50": p50(samples), "p95": p95(samples), "samples": len(samples)}
        for peer, samples in cell.samples.items()
    }
    return {"operation": cell.operation, "page": cell.page, "cut": cell.cut, **figures}


def _step_json(step: Step) -> dict[str, Any]:
    return {
        "elements": step.elements,
        "seconds": {peer: step.seconds(peer) for peer in step.samples},
        "letters": step.letters,
        "heap_kept": step.heap_kept,
        "python_peak": step.python_peak,
    }
