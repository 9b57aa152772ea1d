"""Hand-ins of the other assignments made from their references, and their grading inside this process."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import handins

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report
from grader.trial.changes import Change

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class HandIns:
    """What is handed in for one assignment, and what stays open for a right submission without a GPU and a TA."""

    name: str
    open: Mapping[str, Outcome]

    @property
    def reference(self) -> Path:
        return ROOT / "reference" / self.name

    @property
    def template(self) -> Path:
        return ROOT / "student_template" / self.name

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(name for name in load_assignment(self.name).files if name.endswith(".py"))

    def changes(self, kind: str) -> list[Change]:
        return handins.cases_of(self.name, kind)

    def change_of(self, kind: str, module: str, name: str) -> Change:
        return next(one for one in self.changes(kind) if one.id == f"{module}.{name}")

    @staticmethod
    def id_of(change: Change) -> str:
        return change.id

    @staticmethod
    def concerns(change: Change, check: str) -> bool:
        """Return whether `check` is one that the change costs, or that fails without points, or is flagged."""
        return check in {*change.losses(), *change.words("warned"), *change.words("flagged")}

    def reference_files(self) -> dict[str, bytes]:
        return {name: (self.reference / name).read_bytes() for name in load_assignment(self.name).files}

    def template_files(self) -> dict[str, bytes]:
        """Return the template as a hand-in, without a report."""
        return {name: (self.template / name).read_bytes() for name in self.sources}

    def graded_files(self, files: dict[str, bytes], folder: Path) -> Report:
        path = folder / f"{self.name}.zip"
        path.write_bytes(handins.packed(files))
        return grade(path, load_assignment(self.name), Options(seed=handins.SEED, device="cpu"))

    def graded_change(self, change: Change, folder: Path) -> Report:
        return self.graded_files(self.reference_files() | change.changed_files(), folder)

    def lost(self, report: Report) -> dict[str, str]:
        """Return what `handins.lost` does, for this assignment."""
        return handins.lost(report, self.open)

    def explained(self, report: Report) -> dict[str, str]:
        """Return what `lost` returns, with the findings."""
        return handins.explained(report, self.open)


SPEED = ("speed.cublas.quarter", "speed.cublas.half", "speed.roofline.quarter", "speed.roofline.more")
EXPLAINED = {"report.explanation": Outcome.INCONCLUSIVE}
LAYERS = HandIns("layers", EXPLAINED | {"network.speedup": Outcome.NOT_MEASURED})
GEMM = HandIns("gemm", EXPLAINED | dict.fromkeys(SPEED, Outcome.NOT_MEASURED))
DISTRIBUTED = HandIns("distributed", EXPLAINED)
