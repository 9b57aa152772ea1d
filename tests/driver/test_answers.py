"""A second opinion on the executor: kernels of hand-ins and of the ladder answer the same as PTX, or it is known."""

import sys
from pathlib import Path

import handins
import numpy as np
import pytest
from driver import answers, ladder
from subprocesses import ended

pytestmark = pytest.mark.parametrize("installation", ["gpu12", "gpu13"], indirect=True)

NAMES = sorted(
    f"{kind}/{change.module}/{change.name}"
    for kind, beginning in (("unusual", ""), ("mistakes", "gpu_"))
    for change in handins.changes(kind)
    if change.module in answers.FUNCTIONS and change.name.startswith(beginning)
)
EXPLAINED = {
    "mistakes/matmul_functions/gpu_without_syncthreads": "a race: threads read tiles that others have not filled",
    "unusual/matmul_functions/gpu_race_that_takes_turns": "a race: the threads of a warp take no turns",
    "unusual/matmul_functions/gpu_sums_into_new_memory": "new memory holds what was there before, the executor's zeros",
    "unusual/max_functions/gpu_atomics_on_new_memory": "the same",
    "unusual/max_functions/gpu_prints_what_the_device_is": "names of Numba's own target that numba-cuda does not have",
}
"""What is right on the executor by luck, and flagged there, or wrong in another way, or knows another release."""
ENDLESS = {"mistakes/max_functions/gpu_kernel_never_ends"}
SAMPLE = ("gpu_atomic_adds", "gpu_dynamic_shared_memory", "gpu_bands_in_streams", "gpu_bytes", "gpu_off_by_one")
REFERENCE = [f"reference/{target}/" for target in answers.FUNCTIONS]


def asked(folder, program, *words, python=sys.executable, environment=None):
    """Return the arrays that a program writes, on a GPU if there is an environment for it."""
    out = folder / f"{len(list(folder.iterdir()))}.npz"
    command = [python, "-W", "ignore", program, "gpu" if environment else "cpu", out, *words]
    done = ended(command, env=environment, cwd=folder, timeout=280)  # some write a log where they run
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(out) as found:
        return {key.replace("|", "/"): found[key] for key in found.files}


def asked_both(installation, pose, folder, *words):
    """Return what a program writes on the stand-in's GPU, and on the CPU."""
    environment = installation.environment(pose(installation.suited))
    return asked(folder, *words, python=installation.python, environment=environment), asked(folder, *words)


def differs(on_gpu, on_cpu):
    """Return why two answers are not the same; empty if they are, or if only the executor looks at bounds."""
    texts = [str(one) if one.dtype.kind == "U" else "" for one in (on_gpu, on_cpu)]
    if texts[1].startswith("raised IndexError") and "out of bounds" in texts[1]:
        return ""  # a GPU reads on, or stops with 700 where no page is
    if any(texts):
        return "" if all(text.startswith("raised ") for text in texts) else f"{texts}"
    if on_gpu.shape != on_cpu.shape:
        return f"shapes {on_gpu.shape} and {on_cpu.shape}"
    return "" if np.allclose(on_gpu, on_cpu, rtol=1e-5, atol=1e-5, equal_nan=True) else "other numbers"


def compared(installation, pose, folder, sizes, names):
    on_gpu, on_cpu = asked_both(installation, pose, folder, answers.__file__, sizes, *names)
    assert on_gpu.keys() == on_cpu.keys()
    found = {key: differs(on_gpu[key], on_cpu[key]) for key in on_gpu}
    return {key: why for key, why in found.items() if why and key.rpartition(":")[0] not in EXPLAINED}


def test_the_reference_and_a_sample_answer_the_same_as_ptx(installation, pose, tmp_path):
    some = [name for name in NAMES if Path(name).name in SAMPLE]
    assert len(some) == len(SAMPLE)
    assert compared(installation, pose, tmp_path, "small,sheet", REFERENCE + some) == {}


def test_a_race_that_the_executor_hides_shows_as_ptx(installation, pose, tmp_path):
    name = "unusual/matmul_functions/gpu_race_that_takes_turns"
    on_gpu, on_cpu = asked_both(installation, pose, tmp_path, answers.__file__, "small", name)
    assert differs(on_gpu[f"{name}:small"], on_cpu[f"{name}:small"]) == "other numbers"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_hand_in_answers_the_same_as_ptx(installation, pose, tmp_path, part):
    names = [name for name in NAMES if name not in ENDLESS][part::4]
    assert compared(installation, pose, tmp_path, "small", names) == {}


RUNGS = 6


@pytest.mark.wide
def test_every_rung_gives_the_executors_numbers(installation, pose, tmp_path):
    on_gpu, on_cpu = asked_both(installation, pose, tmp_path, ladder.__file__)
    assert on_gpu.keys() == on_cpu.keys()
    assert len(on_gpu) == len(ladder.CASES) * (RUNGS + 1)
    for name, found in on_gpu.items():
        np.testing.assert_allclose(found, on_cpu[name], rtol=1e-5, atol=1e-5, err_msg=name)
        np.testing.assert_allclose(found, on_gpu[name.partition(" ")[0]], rtol=1e-4, atol=1e-4, err_msg=name)
