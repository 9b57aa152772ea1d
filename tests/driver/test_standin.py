"""The stand-in executes what Numba makes of kernels, poses as other machines, and fails when told to."""

import json
from pathlib import Path

import pytest
from driver import standin, strikes

from grader.worker import faults, wire

SMALL = """
import sys, numpy as np
from numba import cuda
@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
@cuda.jit
def beyond(out):
    out[1 << 40] = 1
@cuda.jit
def split(out):
    if cuda.threadIdx.x < 32:
        cuda.syncthreads()
    else:
        while out[0] == 0:
            cuda.threadfence()
@cuda.jit
def two(out):
    if cuda.threadIdx.x < 32:
        cuda.syncthreads()
    else:
        cuda.syncthreads()
        cuda.syncthreads()
a = np.arange(100.0)
def run():
    out = cuda.device_array(100)
    add[2, 64](cuda.to_device(a), cuda.to_device(a), out)
    return bool((out.copy_to_host() == 2 * a).all())
def code(error):
    return getattr(error, "code", None) or str(error)
"""
ENDS = """
try:
    {}
    print("fine")
except Exception as error:
    print(type(error).__name__, error)
"""


def run_small(installation, driver, program, **more):
    done = installation.run(driver, "-c", SMALL + program, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


TRANSPOSED = """
from grader.worker.launches import keep_transposing_kernel, recorded_launches
keep_transposing_kernel()
def check(array, *part):
    with recorded_launches() as launches:
        turned = cuda.to_device(array)[part].T.T.T
    assert not launches and turned.is_c_contiguous() and np.array_equal(turned.copy_to_host(), array[part].T), array
for shape in (3, 4), (1, 300), (33, 65):
    check(np.random.default_rng(1).normal(size=shape))
check(np.arange(40).reshape(5, 8), slice(None, None, 2), slice(1, None, 3))
assert cuda.to_device(np.ones((0, 5))).T.shape == (5, 0)
assert cuda.kernels.transpose.transpose(np.ones((3, 4))).shape == (4, 3)  # of the host's arrays, as Numba's own
compiler, cuda.jit = cuda.jit, None
check(np.ones((7, 2)))
cuda.jit = compiler
print("kept")
"""


def test_a_transposition_is_compiled_once_and_is_no_launch_of_the_submissions(installation, suited, pose):
    assert run_small(installation, pose(suited), TRANSPOSED) == "kept"


@pytest.mark.parametrize("cases", ["number_cases.py", "block_cases.py"])
def test_kernels_of_many_kinds_come_out_as_numpy_says(installation, suited, pose, cases):
    program = Path(__file__).with_name(cases)
    done = installation.run(pose(suited), str(program))
    assert done.returncode == 0, done.stderr
    verdicts = json.loads(done.stdout.splitlines()[-1])
    assert len(verdicts) == program.read_text("utf-8").count("@case\n")
    if installation.name == "numba" and cases == "number_cases.py":  # which cannot compile min and max of two numbers
        assert "Signature mismatch" in verdicts.pop("least_and_largest")
    assert {name: text for name, text in verdicts.items() if text} == {}
    assert ("thread 2 2.000000" in done.stdout) == (cases == "number_cases.py")


@pytest.mark.wide
@pytest.mark.parametrize("name", standin.MACHINES)
def test_it_poses_as_a_machine(installation, pose, name):
    machine = standin.MACHINES[name]
    says = run_small(installation, pose(name), "print(*[gpu.name for gpu in cuda.gpus.lst], sep='|'); print(run())")
    names, worked = says.splitlines()
    assert len(names.split("|")) == len(machine.cards)
    assert all(card.split()[0].split("=")[1].replace("_", " ") in names for card in machine.cards)
    assert worked == "True"


def test_a_driver_that_is_too_old_for_what_was_compiled_refuses_it(installation, pose):
    if installation.oldest_driver <= standin.MACHINES["2080 Ti"].driver:
        pytest.skip("this installation works with that driver")
    says = run_small(installation, pose("2080 Ti", is_too_old=True), ENDS.format("run()"))
    assert says.startswith(("LinkerError [222]", "CudaAPIError")) or "NO_BINARY" in says


@pytest.mark.slow
def test_the_card_can_be_chosen_by_number_and_by_uuid(installation, pose):
    driver = pose("two cards, one busy")
    ask = "print(len(cuda.gpus), cuda.get_current_device().uuid, cuda.current_context().get_memory_info()[0] >> 20)"
    assert run_small(installation, driver, ask).startswith("2 GPU-33333333-")
    assert run_small(installation, driver, ask, CUDA_VISIBLE_DEVICES="1").startswith("1 GPU-44444444-")
    assert run_small(installation, driver, ask, CUDA_VISIBLE_DEVICES="GPU-4444").endswith(" 11264")


@pytest.mark.wide
@pytest.mark.parametrize(
    ("call", "program"),
    [
        *(("cuInit", "cuda.current_context()"), ("cuDevicePrimaryCtxRetain", "cuda.current_context()")),
        *(("cuMemAlloc", "cuda.device_array(100)"), ("cuMemcpyHtoD", "cuda.to_device(a)")),
        *(("cuLaunchKernel", "run()"), ("cuCtxSynchronize", "cuda.synchronize()")),
    ],
)
def test_it_fails_when_told_to(installation, suited, pose, call, program):
    says = run_small(installation, pose(suited, f"{call} 214"), ENDS.format(program))
    assert "214" in says or "ECC_UNCORRECTABLE" in says, says


@pytest.mark.slow
def test_it_fails_at_the_call_that_was_told(installation, suited, pose):
    program = "print(run())" + ENDS.format("cuda.device_array(100); cuda.device_array(100)")
    says = run_small(installation, pose(suited, "cuMemAlloc 801 5"), program)
    assert says.splitlines()[0] == "True"
    assert "801" in says or "NOT_SUPPORTED" in says


@pytest.mark.slow
def test_a_kernel_that_fails_spoils_every_later_call(installation, suited, pose):
    program = ENDS.format("beyond[1, 1](cuda.device_array(4)); cuda.synchronize()") + ENDS.format("run()")
    says = run_small(installation, pose(suited), program).splitlines()
    assert len([line for line in says if "700" in line or "ILLEGAL_ADDRESS" in line]) >= 2, says
    says = run_small(installation, pose(suited, "launch:add 719"), ENDS.format("run()"))
    assert "719" in says or "LAUNCH_FAILED" in says


@pytest.mark.slow
def test_too_many_threads_are_refused_at_the_launch_and_spoil_nothing(installation, suited, pose):
    program = ENDS.format("add[1, 2000](cuda.to_device(a), cuda.to_device(a), cuda.to_device(a))") + "print(run())"
    says = run_small(installation, pose(suited), program)
    assert "INVALID_VALUE" in says
    assert says.endswith("True")


@pytest.mark.slow
def test_threads_that_wait_for_ever_are_stopped(installation, suited, pose):
    program = ENDS.format("split[1, 64](cuda.to_device(np.ones(1))); cuda.synchronize()")
    assert "fine" in run_small(installation, pose(suited), program)
    ends = ENDS.format("two[1, 64](cuda.to_device(np.ones(1))); cuda.synchronize()")
    assert "fine" in run_small(installation, pose(suited), ends)


@pytest.mark.slow
def test_a_block_that_needs_more_registers_than_there_are_is_refused(installation, suited, pose):
    if installation.name == "numba":
        pytest.skip("the linker of a driver does not say how many registers a kernel takes")
    names = [f"v{number}" for number in range(100)]
    body = [f"    {name} = a[i + {number}]" for number, name in enumerate(names)]
    body += ["    cuda.syncthreads()", *(f"    a[2 * i + {number}] = {name}" for number, name in enumerate(names))]
    kernel = "\n".join(["@cuda.jit", "def wide(a):", "    i = cuda.grid(1)", *body, ""])
    launches = "".join(ENDS.format(f"wide[1, {threads}](cuda.device_array(4000))") for threads in (1024, 64))
    folder = pose(suited)
    program = folder / "wide.py"
    program.write_text(SMALL + kernel + launches)
    done = installation.run(folder, str(program))
    assert done.returncode == 0, done.stderr
    assert "LAUNCH_OUT_OF_RESOURCES" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[1] == "fine"


def test_a_card_for_one_process_is_named_with_the_command_that_shares_it(installation, suited, pose, tmp_path):
    folder = pose(suited)
    configuration = (folder / "machine.conf").read_text()
    (folder / "machine.conf").write_text(configuration.replace(" uuid=", " exclusive=1 uuid="))
    done = installation.run(folder, *f"-m grader grade reference/hw1 --device gpu --out {tmp_path}".split())
    assert done.returncode == 2, done.stderr
    assert "nvidia-smi -c DEFAULT" in done.stderr


PROGRAM = str(Path(strikes.__file__))


def struck(installation, driver, *codes):
    """Return what Numba raised, for each place and code; with `codes`, where the driver does not even start."""
    runs = [installation.run(driver, PROGRAM, code) for code in codes or ("all",)]
    assert all(run.returncode == 0 for run in runs), runs[-1].stderr[-2000:]
    return [json.loads(line) for run in runs for line in run.stdout.splitlines() if line.startswith("{")]


def whose(found):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", wire.Raised(found["type"], found["text"]))
    return "the student's" if isinstance(failure, faults.KernelFailed) else "ours"


@pytest.fixture
def driver(installation, pose):
    return pose(installation.suited)


@pytest.mark.wide
def test_of_no_code_at_no_call_is_the_machines_fault_the_students(installation, driver):
    found = struck(installation, driver)
    assert {one["where"] for one in found} == {*strikes.STRIKES}
    assert {one["code"] for one in found} == {*strikes.OURS, *strikes.STUDENTS}
    wrong = [one for one in found if whose(one) != ("the student's" if one["code"] in strikes.STUDENTS else "ours")]
    assert wrong == []


@pytest.mark.slow
def test_a_driver_that_does_not_start_is_nobodys_fault_here(installation, driver):
    found = struck(installation, driver, *map(str, strikes.OURS))
    assert len(found) == len(strikes.OURS)
    assert {whose(one) for one in found} == {"ours"}
