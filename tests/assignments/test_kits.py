"""What students of each assignment get: the checks, and neither the solution nor what stands in for it."""

from functools import cache

import distributed_numbers
import numpy as np
import pytest
from handins import GEMM, LAYERS
from rows import some

from grader.assignment import ASSIGNMENTS, load_assignment
from grader.kit.handout import collect, launcher
from grader.kit.settings import load_settings


@cache
def settings_of(name):
    return load_settings(load_assignment(name))


@cache
def kit_of(name):
    return collect(settings_of(name))


@pytest.mark.parametrize("course", ["hw1", "layers", "gemm", "distributed"])
def test_the_kit_has_no_right_versions_of_the_parts(course):
    assert (ASSIGNMENTS / course / "right.py").is_file()
    assert f"assignments/{course}/right.py" not in kit_of(course)


@pytest.mark.parametrize("course", [LAYERS, GEMM], ids=lambda course: course.name)
def test_the_kit_has_no_long_line_of_the_solution(course):
    given = "\n".join(path.read_text("utf-8") for path in course.template.glob("*.py"))
    staff = f"assignments/{course.name}/staff/"
    own = "\n".join(data.decode() for name, data in kit_of(course.name).items() if name.startswith(staff))
    for name in some(course.sources):
        lines = {line.strip() for line in (course.reference / name).read_text("utf-8").splitlines()}
        work = {line for line in lines if "=" in line and len(line) > 40 and not line.startswith(("def ", '"'))}
        assert not [line for line in work if line in own and line not in given], name


def test_the_kit_of_layers_has_each_scenario_the_serial_row_of_the_bench_and_no_training():
    names = {f"assignments/layers/staff/{path.name}" for path in (ASSIGNMENTS / "layers/staff").glob("*.py")}
    assert {name for name in kit_of("layers") if name.startswith("assignments/layers/staff/")} == names
    names = {name.rpartition("/")[2] for name in kit_of("layers") if "/baselines/" in name}
    assert names == {"__init__.py", "loops.py"}


def test_the_kit_of_gemm_has_no_rates_of_the_staffs_machine():
    assert not [name for name in kit_of("gemm") if name.startswith("assignments/gemm/baselines/rates")]


def test_the_numbers_of_distributed_are_those_of_the_solution():
    with np.load(distributed_numbers.PATH) as kept:
        made = distributed_numbers.make_numbers()
        assert {*kept} == {*made}
        for name, numbers in made.items():
            rounding = 1e-12 * np.abs(kept[name]).max()  # of sums in the order that BLAS chooses for its threads
            assert np.allclose(kept[name], numbers, rtol=1e-12, atol=rounding), name


def test_the_kit_of_distributed_has_numbers_in_place_of_the_solution():
    settings, files = settings_of("distributed"), kit_of("distributed")
    folder = settings.assignment.folder
    for name in {*settings.hidden} - {"right.py"}:
        assert files[f"assignments/distributed/{name}"] == (folder / "kit" / name).read_bytes()
    texts = "\n".join(data.decode() for name, data in files.items() if name.endswith(".py") and "distributed" in name)
    for secret in ("hidden * (1 - hidden)", "delta2 @ theta2", "delta.T @"):
        assert secret not in texts
        assert any(secret in (folder / name).read_text("utf-8") for name in settings.hidden)


def test_the_kit_of_distributed_starts_ranks_and_that_of_hw1_need_not():
    assert "mpi/coordinator.py" in kit_of("distributed")
    assert b"mpi4py" in launcher("distributed", "x.whl", settings_of("distributed").needs.values())
    assert "mpi/coordinator.py" not in kit_of("hw1")
    assert b"mpi4py" not in launcher("hw1", "x.whl", settings_of("hw1").needs.values())
