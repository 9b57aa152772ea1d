import csv
import io
from dataclasses import replace

from grader.bench.tables import CSV_HEADS, render, to_csv


def read(bench):
    return list(csv.DictReader(io.StringIO(to_csv(bench).decode())))


def test_the_table_names_rows_cores_and_machine_and_what_cores_bring(make_bench, timings):
    text = render(make_bench(timings))
    lines = text.splitlines()
    assert sum(line.lstrip().startswith(("1  ", "2  ", "4  ")) for line in lines) == 9
    note = "Measured on Test CPU, 8 core(s); * CUDA kernels were executed on the CPU: their times are no GPU times."
    assert note in text
    assert "CPU: 1.00 times as fast on 4 cores as on 1: it uses one core, of however many." in text
    assert "Numba: 4.00 times as fast on 4 cores as on 1; fitted serial fraction 0.00" in text


def test_speedups_are_over_the_first_row_on_as_many_cores(make_bench, timings):
    numba = [line for line in render(make_bench(timings)).splitlines() if " Numba " in line and " x " in line]
    assert [line.split(" x ")[0].split()[-1] for line in numba] == ["101", "202", "405"]


def test_a_row_that_failed_says_why_in_its_line_and_the_others_stand(make_bench, timings):
    lines = [line.split() for line in render(make_bench(timings)).splitlines()]
    assert ["1", "CUDA*", "raised", "TypeError"] in lines


def test_a_gpus_rows_have_no_star(make_bench, timings):
    text = render(make_bench(timings, device="gpu"))
    assert "CUDA*" not in text
    assert "NVIDIA Test" in text
    assert "no GPU" not in text


def test_the_share_of_the_peak_needs_a_gpu(make_bench, timings):
    assert "needs a GPU" in render(make_bench(timings, one_block=True))
    assert "reaches 61%" in render(make_bench(timings, one_block=True, share=0.61, device="gpu"))


def test_csv_has_numbers_and_says_which_times_are_no_gpu_times(make_bench, timings):
    rows = read(make_bench(timings))
    assert tuple(rows[0]) == CSV_HEADS
    assert (rows[0]["best_s"], rows[0]["median_s"], rows[0]["gpu_time"]) == ("0.4", "0.41", "")
    cuda = next(row for row in rows if row["row"] == "CUDA")
    assert (cuda["problem"], cuda["best_s"], cuda["gpu_time"]) == ("raised TypeError", "", "no")


def test_no_cell_of_the_csv_is_a_formula(make_bench, timings):
    hostile = [replace(timings[-1], problem=text) for text in ("=1+1", "+cmd", "@x", "-1+1", "\t=1", " =1")]
    rows = read(make_bench([*timings, *hostile], machine="=HYPERLINK(1)"))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t"))]
