from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonempty import some

from grader.bench import picture
from grader.bench.chart import HEIGHT, WIDTH, choose_axes, draw, wrap
from grader.bench.model import Bench, Chart, Timing

SVG = "{http://www.w3.org/2000/svg}"
SECONDS = st.floats(1e-9, 1e5)


def parse(bench):
    return ET.fromstring(draw(bench, bench.charts[0]))


def texts(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


def test_the_picture_names_rows_machine_cores_and_why_a_row_failed(make_bench, timings):
    shown = " ".join(texts(parse(make_bench(timings))))
    parts = ("CPU", "Numba", "CUDA*", "raised TypeError", "Test CPU", "no GPU times", "1 core", "4 cores", "Amdahl")
    for part in parts:
        assert part in shown


def test_a_line_per_measured_row_and_a_dashed_bound_beside_what_gains_from_cores(make_bench, timings):
    svg = parse(make_bench(timings))
    lines = list(svg.iter(f"{SVG}polyline"))
    assert len(lines) == 3
    assert sum(line.get("stroke-dasharray") is not None for line in lines) == 1
    assert [text for text in texts(svg) if "Amdahl" in text] == ["- - Amdahl, s = 0.00"]


@pytest.mark.parametrize("noise", [0.85, 0.95, 1.0, 1.1])
def test_a_loop_on_one_core_has_no_bound_on_a_noisy_machine_either(make_bench, noise):
    timings = [Timing("max", "CPU", 1, (0.4,)), Timing("max", "CPU", 4, (0.4 * noise,))]
    assert len(list(parse(make_bench(timings)).iter(f"{SVG}polyline"))) == 1


def test_a_disturbed_machine_is_said_below_the_picture(make_bench, timings):
    note = "Disturbed: others used core 0 for 40% of the time."
    shown = " ".join(texts(parse(replace(make_bench(timings), notes=(note,)))))
    assert note in shown


@given(st.lists(st.lists(SECONDS, min_size=1, max_size=5), min_size=1, max_size=4))
def test_every_point_lies_in_the_picture(samples):
    timings = tuple(Timing("max", "CPU", 2**power, tuple(times)) for power, times in enumerate(samples))
    bench = Bench("hw1", "m", "cpu", "", (Chart("max", "t", timings),))
    for element in some(ET.fromstring(draw(bench, bench.charts[0])).iter()):
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= WIDTH
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= HEIGHT


def test_nothing_measured_is_a_picture_that_says_so(make_bench, timings):
    bench = make_bench([replace(timings[-1], problem="wrong result")])
    assert choose_axes(bench.charts[0]) is None
    assert "Nothing could be measured." in texts(parse(bench))


def test_what_a_student_wrote_stays_text(make_bench, timings):
    hostile = "<script>alert(1)</script>"
    bench = make_bench([replace(timings[-1], problem=hostile, row=hostile)])
    svg = parse(bench)
    assert not list(svg.iter(f"{SVG}script"))
    assert any("<script>" in text for text in texts(svg))


def test_long_captions_are_broken_between_words():
    lines = wrap("word " * 60, 40)
    assert max(map(len, lines)) <= 40
    assert " ".join(lines).split() == ["word"] * 60


def test_the_png_is_one_also_where_a_row_failed_or_speaks_in_formulas(make_bench, timings):
    for bench in (make_bench([*timings, replace(timings[-1], row="$\\frac{", cores=1)]), make_bench(timings[-1:])):
        assert picture.draw_png(bench, bench.charts[0]).startswith(b"\x89PNG")
