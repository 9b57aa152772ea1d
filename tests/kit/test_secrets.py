"""Nothing secret is in the handout: by names, by contents, by lines and by what the lines mean."""

import ast
import hashlib
import io
import re
import sys
import zipfile
from pathlib import Path

import pytest
from rows import each, some

from grader.kit import handout as handout_module
from grader.kit.handout import EDITIONS, NEEDS, PACKAGE, collect

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference/hw1"
OWN = "hw1check_files/"
"""Where the kit's copy of the grader lies in the wheel."""
HW1 = PACKAGE / "assignments/hw1"
SOLUTIONS = ("utils.py", "max_functions.py", "matmul_functions.py")
LONG_LINE = 30
"""Shorter lines, such as `return C`, say nothing."""
IDIOM = re.compile(
    r"import_module\(module|getattr\(loaded|^except|^@dataclass|^def_pass_over|integer_pair\(rng|np\.errstate|mkdir\("
    r"|^defcreate_batches\("
)
"""What several modules of the grader say in the same words."""
MANY_NODES = 14
"""Statements of fewer syntax nodes, such as `C = np.zeros(n)`, are everybody's."""
FOREIGN = re.compile(
    r"reference/|report_text|make_report|tests/|attack|sandbox|bubblewrap|seccomp|landlock|course/|marking|slurm|moodle"
)
OPTIONAL = {"numba_cuda", "cuda", "cupy", "python_calamine"}
"""Only asked for where they are needed, and may be missing."""


@pytest.fixture(scope="session")
def contents(handout) -> dict[str, bytes]:
    """Every file that students get, those in the wheel included."""
    with zipfile.ZipFile(handout.path) as archive:
        files = {name.removeprefix("hw1/"): archive.read(name) for name in archive.namelist()}
    (wheel,) = (name for name in files if name.endswith(".whl"))
    with zipfile.ZipFile(io.BytesIO(files.pop(wheel))) as archive:
        return files | {f"wheel/{name.removeprefix(OWN)}": archive.read(name) for name in archive.namelist()}


def hidden_files(settings) -> dict[Path, Path]:
    """Return each file that stays with the staff, with the place where its student edition would lie."""
    closed = {PACKAGE / "kit/handout.py": HW1 / EDITIONS / "nowhere"}
    own = {HW1 / name: HW1 / EDITIONS / name for name in settings.hidden}
    return {path: edition for path, edition in (closed | own).items() if path.suffix == ".py"}


def lines(text: str) -> set[str]:
    """Return the telling lines of a text, however they are spaced."""
    flat = {re.sub(r"\s+", "", line) for line in text.splitlines()}
    return {line for line in flat if len(line) >= LONG_LINE and not line.startswith(("from", "import"))}


def test_no_name_belongs_to_the_staff_and_of_the_assignment_only_what_knows_answers_is_theirs(contents, settings):
    editions = {path for path, edition in hidden_files(settings).items() if edition.is_file()}
    secret = {f"wheel/grader/{path.relative_to(PACKAGE)}" for path in hidden_files(settings)}
    assert not (secret - {f"wheel/grader/{path.relative_to(PACKAGE)}" for path in editions}) & set(contents)
    assert not [name for name in contents if FOREIGN.search(name)]
    kinds = {Path(name).suffix or Path(name).name for name in contents}
    ours = ".py .toml .typed .md .sbatch .css .html .svg Makefile METADATA WHEEL RECORD"
    assert kinds <= {*ours.split()}
    assert set(settings.hidden) == {"staff/training.py", "right.py", "baselines/baseline.py"}
    shown = {name.removeprefix("wheel/grader/assignments/hw1/") for name in contents if "/assignments/hw1/" in name}
    assert {"comparisons.py", "recipe.py", "checks/test_max.py"} <= shown
    assert {"wheel/grader/authoring/judges/kernels.py", "wheel/grader/authoring/judges/races.py"} <= set(contents)
    assert not {name for name in shown if name.startswith(("baselines/b", "kit/"))}


def test_students_run_the_same_slices_as_the_staff_and_no_file_is_one_of_the_staffs(contents, settings):
    for path in (*some(PACKAGE.glob("slices/*.py")), *some(PACKAGE.glob("worker/**/*.py"))):
        assert contents[f"wheel/grader/{path.relative_to(PACKAGE)}"] == path.read_bytes()
    given = {hashlib.sha256((REFERENCE / name).read_bytes()).digest() for name in ("main.py", "network.py")}
    given.add(hashlib.sha256((REFERENCE / "collect.py").read_bytes()).digest())
    secret = [*REFERENCE.rglob("*"), *hidden_files(settings), *PACKAGE.glob("sandbox/*")]
    secret += (ROOT / "tests").rglob("*.py")
    digests = {hashlib.sha256(path.read_bytes()).digest(): path for path in secret if path.is_file()}
    for name, data in some(contents.items()):
        digest = hashlib.sha256(data).digest()
        assert not data or digest in given or digest not in digests, f"{name} is {digests[digest]}"


def test_no_line_of_the_solutions_or_of_what_is_hidden_is_shown(contents, settings):
    shown = {line: name for name, data in contents.items() for line in lines(data.decode("utf-8", "replace"))}
    for name in some(SOLUTIONS):
        given = lines((ROOT / "student_template/hw1" / name).read_text("utf-8"))
        for line in lines((REFERENCE / name).read_text("utf-8")) - given:
            assert line not in shown, f"{shown[line]} holds a line of the reference's {name}: {line}"
    for path, edition in some(hidden_files(settings).items()):
        given = lines(edition.read_text("utf-8")) if edition.is_file() else set()
        if path.is_relative_to(PACKAGE / "cuda_cpu"):
            continue  # tools that students have no use for: left out to be small, and no secret
        for line in lines(path.read_text("utf-8")) - given:
            assert line not in shown or IDIOM.search(line), f"{shown[line]} holds a line of {path.name}: {line}"


def meanings(source: str) -> dict[str, str]:
    """Return the large statements of all functions, without names: the same work in other words is the same."""
    found = {}
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            is_work = isinstance(node, ast.Return | ast.Assign | ast.AugAssign | ast.For)
            if is_work and sum(1 for _ in ast.walk(node)) >= MANY_NODES:
                found[_nameless(node)] = ast.unparse(node)
    return found


def _nameless(node: ast.stmt) -> str:
    """Return the statement's value with names numbered in order of appearance, and numbers as floats."""
    value = getattr(node, "value", None) or node
    numbers: dict[str, str] = {}
    text = ast.dump(value)
    text = re.sub(r"\bid='(\w+)'", lambda found: f"id='{numbers.setdefault(found[1], str(len(numbers)))}'", text)
    return re.sub(r"Constant\(value=(\d+)\)", r"Constant(value=\1.0)", text)


def test_no_statement_of_the_solutions_is_shown_in_other_words(contents):
    sources = {name: data.decode() for name, data in contents.items() if name.endswith(".py")}
    shown = {one: (name, text) for name, source in sources.items() for one, text in meanings(source).items()}
    for name in some(SOLUTIONS):
        given = meanings((ROOT / "student_template/hw1" / name).read_text("utf-8"))
        secret = meanings((REFERENCE / name).read_text("utf-8"))
        for meaning in secret.keys() - given.keys():
            assert meaning not in shown, f"{shown[meaning]} is {secret[meaning]} of {name}"


@each(
    "written",
    "def add(xs, ys):\n    return [a + b for a, b in zip(xs, ys, strict=True)]",
    "def slope(z):\n    return sigmoid(z) * sigmoid(-np.asarray(z))",
    "def make(layers):\n    return [np.zeros((a, b)) for a, b in pairwise(layers)]",
)
def test_a_solution_in_other_words_would_be_found(written):
    assert set(meanings(written)) & set(meanings((REFERENCE / "utils.py").read_text("utf-8")))


def test_a_hidden_line_would_be_found_and_a_student_edition_has_the_functions_of_what_it_replaces(settings):
    for path in some(hidden_files(settings)):
        telling = [line for line in lines(path.read_text("utf-8")) if not IDIOM.search(line)]
        assert len(telling) >= 3, f"{path} has hardly a telling line"
    names = used(settings)
    for path, edition in some((path, own) for path, own in hidden_files(settings).items() if own.is_file()):
        asked, given = public(path), public(edition)
        missing = {name for name in names if name in asked} - set(given)
        assert not missing, f"{edition} lacks {missing}"
        assert all(given[name] == asked[name] for name in given), edition


def test_everything_that_the_kit_imports_is_in_it_or_asked_for(contents):
    own = {name: data for name, data in contents.items() if name.startswith("wheel/grader") and name.endswith(".py")}
    paths = (name.removeprefix("wheel/").removesuffix(".py").removesuffix("/__init__") for name in own)
    modules = {path.replace("/", ".") for path in paths}
    beside = {"network", "learning", "training", "utils", "collect"}
    known = {*sys.stdlib_module_names, *NEEDS.values(), *OPTIONAL, "grader", "llvmlite", "markupsafe", *beside}
    for name, data in some(own.items()):
        for imported in imports(ast.parse(data)):
            assert imported.split(".")[0] in known, f"{name} imports {imported}"
            if imported.startswith("grader."):
                parent = imported.rsplit(".", 1)[0]
                assert imported in modules or parent in modules, f"{name} imports {imported}, which is not in the kit"


def imports(tree: ast.Module):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            if node.module.startswith("grader"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def public(path):
    """Return the public functions of a file with how many arguments each takes."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
    return {function.name: len(function.args.args) for function in functions}


def used(settings):
    """Return every name that the kit uses: attributes and imported names."""
    sources = [data.decode() for name, data in collect(settings).items() if name.endswith(".py")]
    trees = [ast.parse(source) for source in sources]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return attributes | {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_the_launcher_can_be_read_by_an_old_python():
    source = handout_module.launcher("hw1", "hw1check-0-py3-none-any.whl").decode()
    compile(source, "hw1check.py", "exec")
    assert not re.search(r'\bf"|:=|\bmatch\b', source)
