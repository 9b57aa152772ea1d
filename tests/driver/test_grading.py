"""The whole way of a submission on a GPU, without one: on the stand-in driver, for each installation of numba-cuda."""

import itertools
import json
from pathlib import Path

import handins
import pytest
from driver import standin
from handins import GEMM, LAYERS
from subprocesses import ended

pytestmark = pytest.mark.parametrize("installation", ["gpu12", "gpu13"], indirect=True)

PROGRAM = str(Path(__file__).with_name("graded.py"))
TRAINED = ("network.accuracy", "network.speedup")
UNTIMED = {
    "gemm": (("gemm", "mlp", "operations"), 73),
    "layers": (("matrix", "linear", "relu", "sigmoid", "activations", "layers", "loss"), 67),
}
"""Assignment -> checks that train nothing and time nothing, and their points together."""
OF_GPUS = ("max.gpu.correct", "max.gpu.launch", "matmul.gpu")


@pytest.fixture
def grade(installation, pose):
    def run(machine, *jobs, zeroed=False, **environment):
        command = [installation.python, "-W", "ignore", PROGRAM]
        environment = installation.environment(pose(machine, zeroed=zeroed), **environment)
        done = ended(command, input=json.dumps(jobs), env=environment, cwd=standin.ROOT)
        assert done.returncode == 0, done.stderr[-3000:]
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    return run


def of_gpus(report):
    found = {check: outcome for check, outcome in report["outcomes"].items() if ".gpu." in check}
    return {check: outcome for check, outcome in found.items() if check != "max.gpu.speedup"}


def those(report, wanted):
    return {check for check, outcome in of_gpus(report).items() if outcome == wanted}


@pytest.mark.parametrize("sandbox", ["full", pytest.param("landlock", marks=pytest.mark.slow)])
def test_the_references_kernels_are_right_at_each_level(grade, suited, sandbox):
    (report,) = grade(suited, {"sandbox": sandbox, "only": OF_GPUS})
    assert set(of_gpus(report).values()) == {"passed"}, report["texts"]
    assert report["sandbox"] == sandbox
    assert standin.MACHINES[suited].cards[0].split()[0].removeprefix("name=").replace("_", " ") == report["cuda"]


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["full", "landlock"])
@pytest.mark.parametrize("machine", standin.MACHINES)
def test_the_reference_loses_nothing_and_the_template_gets_nothing(grade, machine, sandbox):
    reference, template = grade(machine, {"sandbox": sandbox}, {"sandbox": sandbox, "template": True})
    lost = {check: outcome for check, outcome in reference["outcomes"].items() if outcome != "passed"}
    assert lost == dict.fromkeys(("report.explanation", "submission.code"), "inconclusive"), reference["texts"]
    assert (reference["low"], reference["high"]) == (90, 100)
    assert reference["speed"]["copying_s"] > 0
    assert (template["low"], template["high"]) == (0, 0)


@pytest.mark.parametrize("zeroed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_networks_lose_nothing_whatever_new_memory_holds_and_templates_get_nothing(grade, suited, zeroed):
    for name, (checks, points) in UNTIMED.items():
        job = {"assignment": name, "only": checks}
        report, template = grade(suited, job, job | {"template": True}, zeroed=zeroed)
        assert {*template["outcomes"].values()} <= {"failed", "skipped", "not_measured"}, template["texts"]
        lost = {check: outcome for check, outcome in report["outcomes"].items() if outcome != "passed"}
        assert {*lost.values()} == {"not_measured"}, report["texts"]
        assert report["low"] == points, lost
        assert report["flags"] == []


@pytest.mark.slow
def test_classes_are_observed_and_timed_on_a_gpu_as_well(grade, suited):
    reference, copied, counting = grade(
        suited,
        {"assignment": "layers"},
        {"assignment": "layers", "changes": ["mistakes/matrix/set_broadcasts"]},
        {"assignment": "layers", "changes": ["attacks/layers/honest_at_first"], "only": TRAINED},
    )
    lost = {check: outcome for check, outcome in reference["outcomes"].items() if outcome != "passed"}
    assert lost == {"report.explanation": "inconclusive"}, reference["texts"]
    assert reference["flags"] == [] or {check for check, _ in reference["flags"]} == {"network.speedup"}
    lost = {check for check, outcome in copied["outcomes"].items() if outcome == "failed"}
    assert lost == {"matrix.shapes"}, copied["texts"]
    assert counting["outcomes"]["network.speedup"] == "inconclusive"
    assert "kernels before it was timed" in counting["texts"]["network.speedup"]


SPEED = tuple(f"speed.{name}" for name in ("cublas.fifth", "cublas.half", "roofline.fifth", "roofline.more"))


@pytest.mark.slow
def test_shares_of_the_roofline_are_measured_and_those_of_cublas_where_it_is_installed(grade, suited):
    (report,) = grade(suited, {"assignment": "gemm", "only": ("gemm.gemm.correct", *SPEED)})
    assert report["outcomes"]["gemm.gemm.correct"] == "passed", report["texts"]
    assert [report["outcomes"][check] for check in SPEED] == ["not_measured"] * 2 + ["passed"] * 2, report["texts"]
    assert "cuBLAS could not be measured" in report["texts"]["speed.cublas.half"]
    assert set(report["shares"]["share_of_roofline_percent_by_size"]) == {"16", "32"}
    assert min(report["shares"]["best_tflops_by_size"].values()) >= 0


@pytest.mark.slow
def test_of_several_cards_the_idle_one_is_taken_unless_somebody_chose(grade):
    (report,) = grade("two cards, one busy", {"only": ["max.gpu.correct"]})
    assert report["gpu"].startswith("GPU-44444444-")
    (report,) = grade("two cards, one busy", {"only": ["max.gpu.correct"]}, CUDA_VISIBLE_DEVICES="0")
    assert report["gpu"].startswith("GPU-33333333-")


def test_an_error_of_the_machine_costs_no_point_and_one_of_the_students_its_own_check(grade, suited):
    broken, students, once = grade(
        suited,
        {"only": OF_GPUS, "failures": ["launch:max_kernel 214"]},
        {"only": OF_GPUS, "failures": ["launch:max_kernel 700"]},
        {"only": OF_GPUS, "failures": ["launch:max_kernel 700"], "once": 2},
    )
    assert those(broken, "error") == {"max.gpu.correct", "max.gpu.launch"}
    assert "failed" not in broken["outcomes"].values()
    assert "CUDA failed in `max_gpu`, not the submission" in broken["texts"]["max.gpu.correct"]
    assert those(students, "failed") == {"max.gpu.correct"}, "the launch is judged by its counts"
    assert "A thread reads or writes where no array is" in students["texts"]["max.gpu.correct"]
    assert set(of_gpus(once).values()) == {"passed"}, once["texts"]


@pytest.mark.slow
def test_a_gpu_that_fails_before_any_student_code_is_ours(grade, suited):
    for failure in ("cuMemAlloc 2", "cuInit 999", "cuDevicePrimaryCtxRetain 46", "cuLaunchKernel 222"):
        (report,) = grade(suited, {"only": OF_GPUS, "failures": [failure]})
        assert set(of_gpus(report).values()) == {"error"}, (failure, report["texts"])
        assert "before any student code" in report["texts"]["max.gpu.correct"]


def honest(name):
    """Return the right hand-ins of an assignment that are fast to grade: of hw1 two changes at a time."""
    course = {"hw1": handins, "layers": LAYERS, "gemm": GEMM}[name]
    changes = [change for change in course.changes("unusual") if not {"slow", "not_yet"} & {*change.keys}]
    if name != "hw1":
        return [(change,) for change in changes]
    targets = ("max_functions.py", "matmul_functions.py")
    return [*itertools.zip_longest(*([change for change in changes if change.target == target] for target in targets))]


LOSES_NOTHING = {"passed", "not_measured", "skipped"}
"""What is skipped needs a check that is looked at itself."""
OTHERWISE = {
    "edges_by_step_one": {"failed"},  # slices empty arrays of the device, which Numba refuses
    "gpu_atomics_on_new_memory": {"inconclusive"},  # right where new memory holds zeros
    "gpu_sums_into_new_memory": {"inconclusive"},  # likewise
    "gpu_race_that_takes_turns": {"failed"},  # as on a GPU: it is right only where threads take turns
    "gpu_prints_what_the_device_is": {"failed"},  # by names of Numba's own target that numba-cuda does not have
}
SAMPLED = ("counts_its_calls", "gpu_pinned_and_atomic_add", "gpu_warnings_and_errors_by_name")
"""What once kept its points on the executor only."""
PARTS = [(name, part, parts) for name, parts in (("hw1", 10), ("layers", 2), ("gemm", 8)) for part in range(parts)]


@pytest.mark.parametrize(
    ("name", "part", "parts"),
    [("hw1", 0, 0), *(pytest.param(*one, marks=[pytest.mark.slow, pytest.mark.timeout(900)]) for one in PARTS)],
)
def test_honest_hand_ins_keep_every_point_on_a_gpu(grade, suited, name, part, parts):
    pairs = [changes for changes in honest(name) if parts or changes[0].name in SAMPLED][part :: parts or 1]
    only = OF_GPUS if name == "hw1" else UNTIMED[name][0]
    ids = [[f"unusual/{one.module}/{one.name}" for one in pair if one] for pair in pairs]
    reports = grade(suited, *({"assignment": name, "only": only, "changes": changes} for changes in ids))
    for pair, report in zip(pairs, reports, strict=True):
        for change in filter(None, pair):
            own = f"{change.module.partition('_')[0]}." if name == "hw1" else ""
            allowed = LOSES_NOTHING | OTHERWISE.get(change.name, set())
            seen = {check: outcome for check, outcome in report["outcomes"].items() if check.startswith(own)}
            lost = {check: report["texts"][check] for check, outcome in seen.items() if outcome not in allowed}
            assert set(lost) <= change.words("opened"), (handins.id_of(change), lost)
