"""What the bench says: comparisons, as charts and as tables."""

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each, some

from grader.assignment import assignment_folders, find_imports, load_assignment
from grader.bench.model import Bench, Chart, Timing, load_comparisons, read_comparisons, read_works
from grader.bench.tables import CSV_HEADS, HEIGHT, WIDTH, choose_axes, draw, render, to_csv, wrap
from grader.errors import StaffError, UsageError


def read(bench):
    return list(csv.DictReader(io.StringIO(to_csv(bench).decode())))


def test_the_table_names_rows_cores_machine_speedups_and_why_a_row_failed(make_bench, timings):
    text = render(make_bench(timings))
    lines = text.splitlines()
    assert sum(line.lstrip().startswith(("1  ", "2  ", "4  ")) for line in lines) == 9
    note = "Measured on Test CPU, 8 core(s); * CUDA kernels were executed on the CPU: their times are no GPU times."
    assert note in text
    assert "CPU: 1.00 times as fast on 4 cores as on 1: it uses one core, of however many." in text
    assert "Numba: 4.00 times as fast on 4 cores as on 1; fitted serial fraction 0.00" in text
    over_the_first_row = [line.split(" x ")[0].split()[-1] for line in lines if " Numba " in line and " x " in line]
    assert over_the_first_row == ["101", "202", "405"]
    assert ["1", "CUDA*", "raised", "TypeError"] in [line.split() for line in lines]
    on_four = [Timing("max", "CPU", cores, (seconds,)) for cores, seconds in ((1, 0.4), (4, 0.1), (8, 0.4))]
    assert "it uses one core" not in render(make_bench(on_four))


def test_phases_stand_in_a_table_of_their_own_and_no_word_on_kernels_where_there_are_none(make_bench):
    phases = {"scatter": 0.002, "forward": 0.5}
    timings = [Timing("t", "Sequential", 1, (1.0,), phases_s={"forward": 1.0}), Timing("t", "Parallel", 1, (0.6,))]
    lines = render(make_bench([timings[0], replace(timings[1], phases_s=phases)])).splitlines()
    place = lines.index("  phases of the best call:")
    assert [line.split() for line in lines[place + 1 : place + 4]] == [
        ["cores", "forward", "scatter"],
        ["1", "Sequential", "1", "s"],
        ["1", "Parallel", "500", "ms", "2", "ms"],
    ]
    assert "Measured on Test CPU, 8 core(s)." in lines
    assert not any("phases" in line for line in render(make_bench(timings[1:])).splitlines())


def test_a_gpus_rows_have_no_star(make_bench, timings):
    text = render(make_bench(timings, device="gpu"))
    assert "CUDA*" not in text
    assert "NVIDIA Test" in text
    assert "no GPU" not in text


def test_csv_has_numbers_speed_ups_on_as_many_cores_no_formulas_and_says_what_is_no_gpu_time(make_bench, timings):
    rows = read(make_bench(timings))
    assert tuple(rows[0]) == CSV_HEADS
    assert (rows[0]["best_s"], rows[0]["median_s"], rows[0]["gpu_time"]) == ("0.4", "0.41", "")
    cuda = next(row for row in rows if row["row"] == "CUDA")
    assert (cuda["problem"], cuda["best_s"], cuda["gpu_time"]) == ("raised TypeError", "", "no")
    hostile = [replace(timings[-1], problem=text) for text in ("=1+1", "+cmd", "@x", "-1+1", "\t=1", " =1")]
    rows = read(make_bench([*timings, *hostile], machine="=HYPERLINK(1)"))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t"))]
    alike = [Timing("max", row, cores, (2.0 / cores,)) for row in ("CPU", "Numba") for cores in (1, 2)]
    assert {row["speedup_over_first_row"] for row in read(make_bench(alike))} == {"1"}


SVG = "{http://www.w3.org/2000/svg}"
SECONDS = st.floats(1e-9, 1e5)


def parse(bench):
    return ET.fromstring(draw(bench, bench.charts[0]))


def texts(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


def test_the_picture_names_rows_machine_and_failures_and_has_a_line_per_row_and_a_dashed_bound(make_bench, timings):
    shown = " ".join(texts(parse(make_bench(timings))))
    parts = ("CPU", "Numba", "CUDA*", "raised TypeError", "Test CPU", "no GPU times", "1 core", "4 cores", "Amdahl")
    for part in parts:
        assert part in shown
    svg = parse(make_bench(timings))
    lines = list(svg.iter(f"{SVG}polyline"))
    assert len(lines) == 3
    assert sum("bound" in line.get("class") for line in lines) == 1
    assert [text for text in texts(svg) if "Amdahl" in text] == ["- - Amdahl, s = 0.00"]


@pytest.mark.parametrize("noise", [0.85, 0.95, 1.0, 1.1])
def test_a_loop_on_one_core_has_no_bound_on_a_noisy_machine_either(make_bench, noise):
    timings = [Timing("max", "CPU", 1, (0.4,)), Timing("max", "CPU", 4, (0.4 * noise,))]
    assert len(list(parse(make_bench(timings)).iter(f"{SVG}polyline"))) == 1


def test_a_disturbed_machine_is_said_below_the_picture(make_bench, timings):
    note = "Disturbed: others used core 0 for 40% of the time."
    assert note in " ".join(texts(parse(replace(make_bench(timings), notes=(note,)))))


@given(st.lists(st.lists(SECONDS, min_size=1, max_size=5), min_size=1, max_size=4))
def test_every_point_lies_in_the_picture(samples):
    timings = tuple(Timing("max", "CPU", 2**power, tuple(times)) for power, times in enumerate(samples))
    bench = Bench("m", "cpu", "", (Chart("max", "t", timings),))
    for element in some(ET.fromstring(draw(bench, bench.charts[0])).iter()):
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= WIDTH
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= HEIGHT


def test_nothing_measured_is_a_picture_that_says_so_and_what_a_student_wrote_stays_text(make_bench, timings):
    bench = make_bench([replace(timings[-1], problem="wrong result")])
    assert choose_axes(bench.charts[0]) is None
    assert "Nothing could be measured." in texts(parse(bench))
    hostile = "<script>alert(1)</script>"
    svg = parse(make_bench([replace(timings[-1], problem=hostile, row=hostile)]))
    assert not list(svg.iter(f"{SVG}script"))
    assert any("<script>" in text for text in texts(svg))


def test_long_captions_are_broken_between_words():
    lines = wrap("word " * 60, 40)
    assert max(map(len, lines)) <= 40
    assert " ".join(lines).split() == ["word"] * 60


GOOD = """
[[comparison]]
id = "max"
title = "Maximum"
work = "maximum"
shape = [3, 4]
[[comparison.row]]
name = "CPU"
function = "max_functions.max_cpu"
"""
PYTHON = load_assignment("hw1").folder / "comparisons.py"
WORKS = read_works(PYTHON)
RIGHT = {"maximum": np.maximum, "self_product": lambda x: x @ x.T}


def test_the_sheet_compares_what_it_asks_for_and_one_comparison_can_be_chosen():
    found = load_comparisons(load_assignment("hw1"))
    assert {comparison.id: [row.name for row in comparison.rows] for comparison in found} == {
        "max": ["CPU", "Numba", "CUDA"],
        "matmul": ["NumPy", "Trivial, from 40 rows", "Numba", "CUDA"],
    }
    assert [comparison.shape for comparison in found] == [(1000, 1000), (784, 128)]
    (training,) = load_comparisons(load_assignment("distributed"))
    assert [(row.name, row.phases) for row in training.rows] == [("Sequential", True), ("Parallel", True)]
    (linear,) = load_comparisons(load_assignment("layers"))
    assert [(row.name, row.staff) for row in linear.rows] == [("Serial loops", 1), ("CPU path", 0), ("CUDA", 0)]
    assert [each.id for each in load_comparisons(load_assignment("hw1"), "matmul")] == ["matmul"]
    with pytest.raises(UsageError, match="no comparison 'min': choose one of max, matmul"):
        load_comparisons(load_assignment("hw1"), "min")


def test_every_assignments_file_can_be_read():
    assignments = map(load_assignment, assignment_folders())
    for assignment in some(one for one in assignments if (one.folder / "comparisons.toml").exists()):
        assert load_comparisons(assignment)


def test_what_staff_rows_name_lies_in_the_folder_that_the_staffs_worker_sees():
    """No worker sees the rest of an assignment, in which there are right versions."""
    for assignment in some([load_assignment(name) for name in ("hw1", "layers", "gemm")]):
        if (assignment.folder / "comparisons.toml").exists():
            rows = [row for one in load_comparisons(assignment) for row in one.rows if row.staff]
            modules = {f"{row.function.rpartition('.')[0]}.py" for row in some(rows)}
            assert [name for name in modules if not (assignment.baselines / name).is_file()] == []
        imported = {name for path in assignment.baselines.glob("*.py") for name in find_imports(path.read_bytes())}
        inside = f"grader.assignments.{assignment.name}.baselines"
        assert [name for name in imported if "grader" in name and not name.startswith(inside)] == []


@each(
    "old, new, says",
    ('"maximum"', '"minimum"', "use maximum, self_product"),
    ('"max_functions.max_cpu"', '"max_cpu"', "module.function"),
    *(('name = "CPU"', 'name = "CPU"\ncalls = 0', "1 to 1000 calls"), ("title", "titel", "unknown field")),
    *(("[3, 4]", "[3]", "shape"), ('id = "max"', "id = ", "comparisons.toml")),
)
def test_a_wrong_file_is_one_sentence(tmp_path, old, new, says):
    path = tmp_path / "comparisons.toml"
    path.write_text(GOOD.replace(old, new, 1))
    path.with_suffix(".py").write_bytes(PYTHON.read_bytes())
    with pytest.raises(StaffError, match=says):
        read_comparisons(path)


@pytest.mark.parametrize("work", WORKS)
def test_right_results_are_right_and_wrong_ones_are_not(work):
    kind = WORKS[work]
    inputs = kind.draw(np.random.default_rng(3), (7, 5))
    right = RIGHT[work](*inputs)
    assert kind.is_right(inputs, right)
    assert kind.is_right(inputs, right.tolist())
    for wrong in (right + 1, right[:-1], None, right * np.nan, "text"):
        assert not kind.is_right(inputs, wrong)


def test_inputs_are_fresh_each_time_and_operations_are_those_of_the_book():
    rng, draw = np.random.default_rng(3), WORKS["maximum"].draw
    assert not np.array_equal(draw(rng, (9, 9))[0], draw(rng, (9, 9))[0])
    assert WORKS["self_product"].operations((784, 128)) == 2 * 784 * 784 * 128


def test_a_python_file_that_fails_is_one_sentence(tmp_path):
    path = tmp_path / "comparisons.toml"
    path.write_text(GOOD)
    with pytest.raises(StaffError, match="comparisons.py cannot be imported: FileNotFoundError"):
        read_comparisons(path)
    path.with_suffix(".py").write_text("1 / 0")
    with pytest.raises(StaffError, match="cannot be imported: ZeroDivisionError"):
        read_comparisons(path)
    path.with_suffix(".py").write_text("maximum = max")
    with pytest.raises(StaffError, match="there is none"):
        read_comparisons(path)
