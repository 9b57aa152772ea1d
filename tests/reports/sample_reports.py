"""Reports of every kind for tests and screenshots, made of evidence and homework 1's rubric alone."""

import ast
from dataclasses import replace
from pathlib import Path

from grader.model import Evidence, File, Finding, Observation, Outcome, Run, Submission
from grader.scoring.rubric import load_rubric
from grader.scoring.score import score

HW1 = Path(__file__).parents[2] / "grader" / "assignments" / "hw1"
RUBRIC = load_rubric(HW1 / "rubric.toml")
WANTED = ("utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf")
SENTENCES = {
    "submission.code": "The code is clear, organized and documented; a TA reads it.",
    "report.pdf": "`hw1.pdf` can be opened, and has text and pictures about both kernels.",
    "report.explanation": "The report explains both kernels and their measured times; a TA reads it.",
} | {
    mark.args[0].value: " ".join(ast.get_docstring(test).split())
    for path in (HW1 / "checks").glob("test_*.py")
    for test in ast.parse(path.read_text("utf-8")).body
    for mark in getattr(test, "decorator_list", ())
    if getattr(getattr(mark, "func", None), "id", "") == "check"
}
"""Check of homework 1 -> what its report says that it asks for."""
CURVE = [91.42, 94.18, 95.31, 96.02, 96.58]
TIMES = {"max_cpu": 0.6123, "max_numba": 0.00121, "max_gpu": 0.00634}
SPEED = {
    "times_s": {
        "max_cpu": [0.4181, 0.4203, 0.4166, 0.4298, 0.4187, 0.4190, 0.4175, 0.4411],
        "staff loop": [0.3972, 0.3969, 0.4011, 0.3980, 0.3966, 0.4105, 0.3975, 0.3990],
        "max_numba": [0.00121, 0.00119, 0.00131, 0.00122, 0.00125, 0.00119, 0.00148, 0.00120],
        "max_gpu": [0.00431, 0.00442, 0.00437, 0.00429, 0.00448, 0.00433, 0.00512, 0.00436, 0.00440, 0.00435],
    },
    "gpu": {"uuid": "GPU-1", "floor_s": 0.0021, "copying_s": 0.0029, "call_s": 0.00436},
    "first_call_s": {"max_cpu": 0.43, "max_gpu": 0.61, "max_numba": 0.35},
}
RUN_CPU = Run(
    device="cpu",
    data="MNIST (60000 training and 10000 test images)",
    sandbox="worker process with limits",
    seed=20251215,
    versions={"python": "3.11.2", "numba": "0.68.1", "numpy": "2.4.6"},
    hardware={"cpu": "2 cores"},
    notes=("Times on this machine are no measure of a GPU: kernels ran on the CPU.",),
)
H200 = {"cpu": "16 cores", "gpu": "NVIDIA H200"}
RUN_GPU = replace(RUN_CPU, device="gpu", hardware=H200, sandbox="bubblewrap + seccomp", notes=())
HOSTILE = (
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "]]><!--"),
    *("\x1b[2J\x1b[31mred\x1b]8;;http://evil\x07link", "nul\x00byte \x08\x7f\x9b31m"),
    *("lone \ud800 surrogate \udfff", "\u202egnp.exe\u2066\u200f", "{{ 7*7 }}{% raw %}{{ report }}"),
    *("[red]rich[/red] [link=file:///etc/passwd]x[/link] [/]", "&amp; &lt; \" ' ` \\ =cmd|' /C calc'!A0"),
    *("\ufffe\uffff\r\rline", "שלום עולם"),
)
MARK = "markup-of-a-student"
"""Stands inside hostile tags, so that a test finds them wherever they were let through."""


def submission(**changes):
    files = tuple(File(name, 2048 + 100 * number, f"{number}" * 64) for number, name in enumerate(WANTED))
    return replace(Submission("hw1_12345.zip", "ab12" * 16, files), **changes)


def with_text(text):
    """Return the hand-in whose first file, utils.py, has this text."""
    first, *others = submission().files
    return submission(files=(replace(first, text=text), *others))


def passed(check, **changes):
    seen = Observation(check, SENTENCES.get(check, check), Outcome.PASSED, wall_s=0.05)
    return replace(seen, **{"student_s": 0.03, **changes})


def all_right(check):
    if check == "train.accuracy":
        facts = {"accuracy_per_epoch_percent": CURVE, "test_accuracy_percent": CURVE[-1], "epochs": 5}
        return passed(check, facts=facts, wall_s=11.8, student_s=11.2)
    if check == "max.times":
        return passed(check, facts={"best_times_s": TIMES, "repeats": 3})
    if check == "max.gpu.speedup":
        text = Finding("No GPU was found on this machine.", hint="Grade on a machine with a GPU to decide this check.")
        return passed(check, outcome=Outcome.NOT_MEASURED, finding=text)
    return passed(check)


def make(observe, run=RUN_CPU, handed_in=None, rubric=RUBRIC):
    """Return the report on what `observe` says about each check; `None` means that it did not run."""
    seen = tuple(found for found in map(observe, (row.id for row in rubric.criteria)) if found)
    return score(Evidence(handed_in or submission(), run, seen, assignment="hw1", wall_s=14.2), rubric)


def result_of(report, check):
    return next(result for result in report.results if result.criterion.id == check)


def result_with(check, **facts):
    """Return the result of a check that passed and has these facts."""
    return result_of(make(lambda name: passed(name, facts=facts) if name == check else None), check)


def full_marks():
    """Everything right on a machine without a GPU: provisional."""
    return make(all_right)


def template():
    """The handed-out template, not yet filled in: zero, and a first step."""

    def observe(check):
        row = RUBRIC.criterion(check)
        if check == "submission.files":
            return passed(check)
        if check.startswith("report"):
            text = Finding("hw1.pdf is missing.", hint="Export your report as hw1.pdf and add it to the zip.")
            return passed(check, outcome=Outcome.SKIPPED if row.needs else Outcome.FAILED, finding=text)
        if row.needs:
            text = Finding(f"It needs {row.needs[0]}, which did not pass.", hint=f"Repair {row.needs[0]} first.")
            return passed(check, outcome=Outcome.SKIPPED, finding=text)
        name = check.partition(".")[2].replace(".", "_")
        text = Finding(
            f"{name} raised NotImplementedError.",
            hint="Replace `raise NotImplementedError` by your own code; the docstring above it says what it returns.",
            location="utils.py:14",
        )
        return passed(check, outcome=Outcome.FAILED, finding=text)

    return make(observe, handed_in=submission(missing=("hw1.pdf",)))


WRONG_BATCHES = '''def create_batches(data, labels, batch_size):
    """Cut the samples into batches."""
    count = len(data) // batch_size
    return [
        (data[i * batch_size : (i + 1) * batch_size], labels[i * batch_size : (i + 1) * batch_size])
        for i in range(count)
    ]'''
LAST_BATCH = Finding(
    "create_batches returned 6 batches, and 7 are right: the last 4 samples are lost.",
    expected="7 batches: 16, 16, 16, 16, 16, 16, 4 samples",
    got="6 batches: 16, 16, 16, 16, 16, 16 samples",
    hint="When the samples do not divide evenly, the last batch holds what remains.",
    location="utils.py:50",
)


def one_mistake():
    """Graded with a GPU; one check failed, and only the TA's points are open."""

    def observe(check):
        if check == "utils.create_batches":
            return passed(check, outcome=Outcome.FAILED, finding=LAST_BATCH)
        if check == "max.gpu.speedup":
            return passed(check, facts={"speedup": [92.1, 98.4], **SPEED})
        return all_right(check)

    return make(observe, run=RUN_GPU, handed_in=submission(files=with_code()))


def partly_right():
    """The same hand-in, where the check gives half of its points: what it would get."""
    report = one_mistake()
    seen = tuple(replace(one, share=0.5) if one.finding == LAST_BATCH else one for one in report.evidence.observations)
    return score(replace(report.evidence, observations=seen), report.rubric)


def with_code():
    """Return the handed-in files with their code: the reference's, but for one function."""
    reference = Path(__file__).parents[2] / "reference" / "hw1"
    texts = {path.name: path.read_text("utf-8") for path in reference.glob("*.py") if path.name in WANTED}
    found = texts["utils.py"].index("def create_batches")
    end = texts["utils.py"].index("\n\n\n", found)
    texts["utils.py"] = texts["utils.py"][:found] + WRONG_BATCHES + texts["utils.py"][end:]
    return tuple(replace(file, text=texts.get(file.name, "")) for file in submission().files)


def mixed():
    """A real student's: some mistakes, remarks, a flag, a measurement too close to call and an error of ours."""
    launch = Finding(
        "max_kernel was launched with 32000 threads, and the sheet asks for 1000000.",
        expected="1000 blocks × 1000 threads",
        got="1000 blocks × 32 threads",
        hint="The launch is written max_kernel[blocks, threads](…).",
        location="max_functions.py:47",
    )
    shapes = Finding("max_gpu is right for 1000 × 1000 only.", "shape (7, 13)", "shape (1000, 1000)")
    lost = Finding("The worker lost its shared memory.", hint="This is the grader's fault: tell the course staff.")
    failures = {"utils.create_batches": LAST_BATCH, "max.gpu.launch": launch, "max.shapes": shapes}
    failures |= {"matmul.numba.compiled": lost}

    def observe(check):
        if check in failures:
            outcome = Outcome.ERROR if failures[check] is lost else Outcome.FAILED
            return passed(check, outcome=outcome, finding=failures[check], output="epoch 1: 91.4\nepoch 2: 94.2\n")
        if check == "max.gpu.speedup":
            facts = {"speedup": [38.6, 43.1], "cpu_median_s": 0.4181, "gpu_median_s": 0.01023, "samples": 41}
            return passed(check, facts=facts, flags=("max_cpu is 1.9 times slower than the staff's loop.",))
        if check == "utils.sigmoid":
            remark = Finding("exp overflows at x = -1000, which prints a warning.", hint="The points are not affected.")
            return passed(check, remarks=(remark,))
        return all_right(check)

    warnings = ("The files lie in one folder `hw1/` inside the zip.", "`__pycache__` is not needed.")
    return make(observe, run=RUN_GPU, handed_in=submission(warnings=warnings))


def refused():
    """A zip that nobody opens."""
    reason = "The member `../../etc/cron.d/job` leaves the folder, so nothing was opened: zip the four files again."
    bare = Submission("evil.zip", "66" * 32)
    return score(Evidence(bare, RUN_CPU, (), assignment="hw1", refusal=reason), RUBRIC)


def unreadable_utils():
    """One syntax error, by which all checks of a file fail."""
    message = "Importing utils.py raised SyntaxError: expected ':'"
    text = Finding(message, hint="Python cannot read the file.", location="utils.py:36")

    def observe(check):
        is_lost = check.startswith(("utils.", "train."))
        return passed(check, outcome=Outcome.FAILED, finding=text) if is_lost else all_right(check)

    return make(observe)


def selected():
    """Only two checks were asked for."""
    return make(lambda check: all_right(check) if check.startswith("max.cpu") else None)


def hostile():
    """Every text that a student can reach is an attack."""
    bad = " ".join((*HOSTILE, f"<b {MARK}='1'>", f"<script>{MARK}</script>"))
    finding = Finding(bad, bad, bad, bad, bad)

    def observe(check):
        facts = {bad: bad, "best_times_s": {bad: 1.0}, "accuracy_per_epoch_percent": [1, bad, 3]}
        return Observation(check, bad, Outcome.FAILED, finding, (finding,), (bad,), facts, output=bad * 100)

    name = File(bad, 1, "0" * 64)
    run = Run(bad, bad, bad, 1, versions={bad: bad}, hardware={bad: bad}, notes=(bad,))
    return make(observe, run=run, handed_in=Submission(bad, "0" * 64, (name,), (bad,), (bad,)))


_KINDS = (full_marks, template, one_mistake, partly_right, mixed, refused, unreadable_utils, selected, hostile)
SAMPLES = {make_one.__name__: make_one for make_one in _KINDS}
