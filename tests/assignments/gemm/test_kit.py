"""What students of gemm get: the checks, and neither the solution nor what stands in for it."""

from assignment_handins import GEMM
from nonempty import some

from grader.assignment import ASSIGNMENTS, load_assignment
from grader.kit.handout import collect
from grader.kit.settings import load_settings


def collected():
    return collect(load_settings(load_assignment("gemm")))


def test_the_kit_has_a_student_edition_of_what_is_hidden():
    own = (ASSIGNMENTS / "gemm/staff/stand_ins.py").read_bytes()
    assert collected()["assignments/gemm/staff/stand_ins.py"] != own
    assert not [name for name in collected() if name.startswith("assignments/gemm/baselines/rates")]


def test_the_kit_has_no_long_line_of_the_solution():
    given = "\n".join(path.read_text("utf-8") for path in GEMM.template.glob("*.py"))
    files = collected()
    own = "\n".join(data.decode() for name, data in files.items() if name.startswith("assignments/gemm/staff/"))
    for name in some(GEMM.sources):
        lines = {line.strip() for line in (GEMM.reference / name).read_text("utf-8").splitlines()}
        work = {line for line in lines if "=" in line and len(line) > 40 and not line.startswith(("def ", '"'))}
        assert not [line for line in work if line in own and line not in given], name
