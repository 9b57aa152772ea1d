"""What students of layers get: the checks, and neither the solution nor what stands in for it."""

from pathlib import Path

from assignment_handins import LAYERS
from nonempty import some

from grader.assignment import load_assignment
from grader.kit.handout import collect
from grader.kit.settings import load_settings

STAFF = Path(__file__).parents[3] / "grader" / "assignments" / "layers" / "staff"


def test_the_kit_has_student_editions_of_what_is_hidden():
    files = collect(load_settings(load_assignment("layers")))
    for name in ("stand_ins.py", "staffs_matrix.py"):
        assert files[f"assignments/layers/staff/{name}"] != (STAFF / name).read_bytes()


def test_the_kit_has_no_long_line_of_the_solution():
    given = "\n".join(path.read_text("utf-8") for path in LAYERS.template.glob("*.py"))
    files = collect(load_settings(load_assignment("layers")))
    own = "\n".join(data.decode() for name, data in files.items() if name.startswith("assignments/layers/staff/"))
    for name in some(LAYERS.sources):
        lines = {line.strip() for line in (LAYERS.reference / name).read_text("utf-8").splitlines()}
        work = {line for line in lines if "=" in line and len(line) > 40 and not line.startswith(("def ", '"'))}
        assert not [line for line in work if line in own and line not in given], name


def test_each_scenario_of_the_kit_is_the_staffs():
    files = collect(load_settings(load_assignment("layers")))
    names = {path.name for path in STAFF.glob("*.py")}
    assert {name.rpartition("/")[2] for name in files if name.startswith("assignments/layers/staff/")} == names
