"""Imports go down the floors of the house and never in a circle; no core module knows an assignment."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import numba
import pytest
from rows import each, some

ROOT = Path(__file__).parents[1]
FLOORS = (
    ("grader", "grader.model", "grader.errors", "grader.slices", "grader.cuda_cpu"),
    (
        *(f"grader.timing.{name}" for name in ("sampling", "statistics", "verdict")),
        *("grader.scoring", "grader.intake.selection", "grader.worker.wire"),
    ),
    (
        *("grader.assignment", "grader.intake", "grader.machine", "grader.mpi", "grader.sandbox", "grader.timing"),
        "grader.worker",
    ),
    ("grader.authoring", "grader.grading", "grader.reports"),
    ("grader.assignments",),
    ("grader.course", "grader.bench"),
    ("grader.kit", "grader.trial"),
    ("grader.commands",),
    ("grader.__main__",),
)
"""Each module imports from its own floor and from those above it in this table; a longer name goes before a shorter."""
INSIDE_THE_WORKER = (
    *("grader.mpi", "grader.timing.physics"),
    *("grader.worker.child", "grader.worker.launches", "grader.worker.sliced"),
)
PARENT_SIDE = (
    *("grader.worker.background", "grader.worker.client", "grader.worker.student", "grader.worker.process"),
    *("grader.slices.cutting", "grader.slices.names", "grader.slices.reading", "grader.errors", "grader.model"),
)
"""What a worker has no use for: the parent cuts slices, and judges what comes of them."""

MOST_BY_POSITION = 4
ROOM_OF_NUMBA = ROOT / "grader/cuda_cpu/numba_internals.py"
OPEN_NUMBA = {"numba", "numba.cuda", "numba.extending", "numba.typed", "numba.types"}
"""What Numba documents; every other module of it, and all of llvmlite, may move with the next version."""


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


@pytest.fixture(scope="module")
def imports():
    files = [path for path in ROOT.glob("grader/**/*.py") if "staff" not in path.parts]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}
    return {name: set(_imports(ast.parse(path.read_text()), set(names))) for name, path in names.items()}


def test_every_module_lives_on_a_floor_imports_only_down_and_never_in_a_circle(imports):
    reaches = {(module, other) for module, found in imports.items() for other in found}
    assert not {pair for pair in reaches if floor_of(pair[1]) > floor_of(pair[0])}
    TopologicalSorter(imports).prepare()
    # A package and all that is below it count as one; a module at the top of `grader` counts by itself
    packages = {}
    for module, imported in imports.items():
        mine = package_of(module)
        packages.setdefault(mine, set()).update({package_of(other) for other in imported} - {mine})
    TopologicalSorter(packages).prepare()


def package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def test_calls_between_caller_and_worker_name_what_they_pass_and_few_modules_stand_at_the_top():
    """More than four arguments by position are a riddle; judges have their own rules."""
    files = [*ROOT.glob("grader/worker/**/*.py"), *ROOT.glob("grader/mpi/*.py"), *ROOT.glob("grader/authoring/*.py")]
    for path in [*files, ROOT / "grader/grading.py"]:
        calls = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
        assert not [ast.unparse(call) for call in calls if len(call.args) > MOST_BY_POSITION], path
    top = {path.stem for path in (ROOT / "grader").glob("*.py")} - {"__init__", "__main__"}
    assert len(top) <= 6, top


def test_no_core_module_imports_an_assignment_and_checks_only_the_authoring_interface(imports):
    for module, imported in imports.items():
        if not module.startswith("grader.assignments"):
            assert not [name for name in imported if name.startswith("grader.assignments.")], module
    allowed = ("grader.authoring", "grader.authoring.comparison", "grader.model", "grader.timing")
    for module, imported in imports.items():
        if module.startswith("grader.assignments."):
            foreign = {name for name in imported if not name.startswith(("grader.assignments.", *allowed))}
            assert not foreign, f"{module} imports {foreign}"


def test_code_inside_the_worker_cannot_see_the_judging_side(imports):
    def reach(module, seen):
        for other in imports[module] - seen:
            seen.add(other)
            reach(other, seen)
        return seen

    inside = [module for module in imports if any(is_inside(module, room) for room in INSIDE_THE_WORKER)]
    assert len(inside) > len(INSIDE_THE_WORKER)
    for module in inside:
        reached = reach(module, set())
        judging = {name for name in reached if floor_of(name) > floor_of("grader.worker")}
        assert not judging | (reached & {*PARENT_SIDE}), f"{module} reaches {judging | (reached & {*PARENT_SIDE})}"


def test_what_reads_the_submission_knows_nothing_of_workers_and_the_executor_stands_alone(imports):
    for module, imported in some((one, its) for one, its in imports.items() if is_inside(one, "grader.slices")):
        assert not [name for name in imported if not is_inside(name, "grader.slices")], module
    for module, imported in some((one, its) for one, its in imports.items() if one.startswith("grader.cuda_cpu")):
        outside = {name for name in imported if not name.startswith("grader.cuda_cpu") and name != "grader"}
        assert not outside, f"{module} imports {outside}"


def test_model_and_errors_use_the_standard_library_only():
    for name in ("model", "errors"):
        tree = ast.parse((ROOT / f"grader/{name}.py").read_text())
        modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not {name.split(".")[0] for name in modules} & {"numpy", "numba", "msgspec", "rich", "pytest"}


def inside_of_numba(source):
    """Return what a module imports from the inside of Numba and llvmlite, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name not in OPEN_NUMBA}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {f"{node.module}.{alias.name}" for alias in node.names if not is_open(node.module, alias.name)}
    return {name for name in found if name.split(".")[0] in {"numba", "llvmlite"}}


def is_open(module, name):
    if module == "numba":
        return name in numba.__all__ or f"numba.{name}" in OPEN_NUMBA
    return module in OPEN_NUMBA - {"numba.cuda"}


@each(
    "line",
    *("import llvmlite.binding as llvm", "from llvmlite import ir", "import numba.core.types"),
    *("from numba import _dispatcher", "from numba import core", "from numba.core import types"),
    *("from numba.cuda import dispatcher", "def later():\n    from numba.np.arrayobj import populate_array"),
)
def test_an_import_of_the_inside_of_numba_is_seen_and_of_what_it_documents_is_allowed(line):
    assert inside_of_numba(line)
    allowed = ("import numba", "from numba import cuda, njit, types", "from numba.extending import intrinsic")
    assert not [line for line in (*allowed, "import numbers") if inside_of_numba(line)]


def test_the_inside_of_numba_is_imported_in_one_room_that_has_nothing_unused():
    files = [path for path in ROOT.glob("grader/**/*.py") if path != ROOM_OF_NUMBA]
    outside = {str(path.relative_to(ROOT)): names for path in files if (names := inside_of_numba(path.read_text()))}
    assert not outside, f"import these from {ROOM_OF_NUMBA.relative_to(ROOT)}: {outside}"
    wanted = set()
    for path in ROOT.glob("grader/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "grader.cuda_cpu.numba_internals":
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "nb":
                wanted.add(node.attr)
    body = ast.parse(ROOM_OF_NUMBA.read_text()).body
    imports = [node for node in body if hasattr(node, "names") and getattr(node, "module", "") != "typing"]
    held = {alias.asname or alias.name for node in imports for alias in node.names} - {"numba.core.typeconv.rules"}
    assert held <= wanted, f"nobody imports {held - wanted}"
