"""Imports go down the floors of the house and never in a circle; no core module knows an assignment."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("grader", "grader.model", "grader.errors", "grader.slices", "grader.cuda_cpu"),
    (
        "grader.timing.conclusion",
        "grader.timing.sampling",
        "grader.timing.statistics",
        "grader.timing.stopwatch",
        "grader.timing.verdict",
        "grader.scoring",
        "grader.intake.selection",
        "grader.worker.wire",
    ),
    ("grader.assignment", "grader.intake", "grader.machine", "grader.sandbox", "grader.timing", "grader.worker"),
    ("grader.authoring", "grader.grading", "grader.reports"),
    ("grader.assignments", "grader.lms"),
    ("grader.batch", "grader.bench", "grader.kit"),
    ("grader.review",),
    ("grader.commands",),
    ("grader.cli", "grader.__main__"),
)
"""Each module imports from its own floor and from those above it in this table; a longer name goes before a shorter."""
INSIDE_THE_WORKER = (
    "grader.timing.physics",
    "grader.worker.child",
    "grader.worker.launches",
    "grader.worker.output",
    "grader.worker.sliced",
)
PARENT_SIDE = (
    *("grader.worker.client", "grader.worker.handin", "grader.worker.opening", "grader.worker.process"),
    *("grader.slices.cutting", "grader.slices.names", "grader.slices.reading", "grader.errors", "grader.model"),
)
"""What a worker has no use for: the parent cuts slices, and judges what comes of them."""


def read_imports() -> dict[str, set[str]]:
    """Return module -> the modules of this project that it imports, by reading the source."""
    files = [path for path in ROOT.glob("grader/**/*.py") if "staff" not in path.parts]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}
    return {name: set(_imports(ast.parse(path.read_text()), set(names))) for name, path in names.items()}


def _imports(tree, names):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & names
            yield from inner or ({node.module} & names)


def floor_of(module: str) -> int:
    """Return the floor whose longest matching prefix names `module`."""
    rooms = [(len(room), level) for level, floor in enumerate(FLOORS) for room in floor if is_inside(module, room)]
    return max(rooms)[1]


def is_inside(module: str, room: str) -> bool:
    return module == room or (module.startswith(f"{room}.") and room != "grader")


IMPORTS = read_imports()


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_every_module_lives_on_a_floor_and_imports_only_down(module):
    upward = {other for other in IMPORTS[module] if floor_of(other) > floor_of(module)}
    assert not upward, f"{module} reaches up to {upward}"


def test_there_is_no_import_cycle():
    TopologicalSorter(IMPORTS).prepare()


def test_there_is_no_circle_between_packages():
    """A package and all that is below it count as one; a module at the top of `grader` counts by itself."""
    packages = {}
    for module, imported in IMPORTS.items():
        mine = package_of(module)
        packages.setdefault(mine, set()).update({package_of(other) for other in imported} - {mine})
    TopologicalSorter(packages).prepare()


def package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_few_modules_stand_at_the_top():
    top = {path.stem for path in (ROOT / "grader").glob("*.py")} - {"__init__", "__main__"}
    assert len(top) <= 6, top


def test_no_core_module_imports_an_assignment():
    for module, imported in IMPORTS.items():
        if not module.startswith("grader.assignments"):
            assert not [name for name in imported if name.startswith("grader.assignments.")], module


def test_checks_import_only_the_authoring_interface():
    allowed = (
        "grader.authoring",
        "grader.authoring.comparison",
        "grader.model",
        "grader.timing",
    )
    for module, imported in IMPORTS.items():
        if module.startswith("grader.assignments."):
            foreign = {name for name in imported if not name.startswith(("grader.assignments.", *allowed))}
            assert not foreign, f"{module} imports {foreign}"


def test_code_inside_the_worker_cannot_see_the_judging_side():
    def reach(module, seen):
        for other in IMPORTS[module] - seen:
            seen.add(other)
            reach(other, seen)
        return seen

    inside = [module for module in IMPORTS if any(is_inside(module, room) for room in INSIDE_THE_WORKER)]
    assert len(inside) > len(INSIDE_THE_WORKER)
    for module in inside:
        reached = reach(module, set())
        judging = {name for name in reached if floor_of(name) > floor_of("grader.worker")}
        assert not judging | (reached & {*PARENT_SIDE}), f"{module} reaches {judging | (reached & {*PARENT_SIDE})}"


def test_what_reads_the_submission_knows_nothing_of_workers_and_uses_no_other_library():
    for module, imported in IMPORTS.items():
        if is_inside(module, "grader.slices"):
            assert not [name for name in imported if not is_inside(name, "grader.slices")], module


def test_the_executor_stands_alone():
    for module, imported in IMPORTS.items():
        if module.startswith("grader.cuda_cpu"):
            outside = {name for name in imported if not name.startswith("grader.cuda_cpu") and name != "grader"}
            assert not outside, f"{module} imports {outside}"


def test_model_and_errors_use_the_standard_library_only():
    for name in ("model", "errors"):
        tree = ast.parse((ROOT / f"grader/{name}.py").read_text())
        tops = {
            node.module.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module
        }
        assert not tops & {"numpy", "numba", "msgspec", "rich", "pytest"}
