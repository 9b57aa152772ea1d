"""The hand-in itself, and its report: what a program can say of it, and what a TA marks."""

from grader.authoring import Note, Sources, check, check_by_ta
from grader.authoring.judges import readability
from grader.authoring.judges.pdf import Wanted, check_report
from grader.authoring.judges.readability import Given

WANTED = Wanted(
    topics={
        "max_kernel": ("max_kernel",),
        "matmul_kernel": ("matmul_kernel",),
        "the speed-ups": ("speed", "faster", "accelera", "times as fast", "האצ", "מהיר"),
        "the runs with 2, 4 and 8 cores": ("core", "processors", "ליב", "מעבדים"),
    },
    pictures=2,
    words=100,
)
"""What `rubric.toml` has points for, as far as a program can find it."""
SOURCES = ("utils.py", "max_functions.py", "matmul_functions.py")
GIVEN = {
    "max_functions.py": Given(("max_cpu", "max_numba", "max_gpu"), ("CALLS", "REPEATS", "timeit", "max_comparisons")),
    "matmul_functions.py": Given(
        ("matmul_transpose_trivial", "matmul_transpose_numba", "matmul_transpose_gpu"),
        ("CALLS", "REPEATS", "timeit", "matmul_comparisons"),
    ),
}


@check("submission.files")
def test_files(sources: Sources, note: Note) -> None:
    """The zip holds exactly the files that the sheet asks for."""
    readability.flag_undocumented(sources, SOURCES, note)
    readability.flag_removed(sources, GIVEN, note)
    sources.expect_complete(note)


test_code = check_by_ta(
    "submission.code",
    "The code is clear, organized and documented; a TA reads it, and gives points where the rubric has some.",
)
test_report = check_report("report.pdf", "hw1.pdf", WANTED)
test_explanation = check_by_ta(
    "report.explanation",
    "The report explains both kernels, the speed-ups, and what 2, 4 and 8 cores change; a TA reads it.",
)
