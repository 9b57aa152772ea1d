"""What a student reads of an exception: one sentence, the line that is meant, and nothing of Numba's inside.

And whose fault an error of CUDA is, in the words of each implementation.
"""

import sys

import numpy as np
import pytest
from rows import each

from grader.cuda_cpu import install

install()
from numba import cuda  # noqa: E402, F401 - the executor's, for the files below

from grader.worker import faults  # noqa: E402 - after the above
from grader.worker.child import describe  # noqa: E402 - the same
from grader.worker.wire import Raised  # noqa: E402 - the same

HEAD = "import numpy as np\nfrom numba import cuda\n\n\n@cuda.jit\ndef add_kernel(A, B, C):\n    i = cuda.blockIdx.x\n"
LAUNCH = "\n\ndef add(A, B):\n    C = np.zeros(A.shape)\n    add_kernel[{counts}](A, B, C)\n    return C\n"


def finding_of(folder, body, counts="4, 4"):
    """Return what is said about the function `add` with a kernel of this body."""
    source = HEAD + body + LAUNCH.format(counts=counts)
    path = folder / "sums.py"
    path.write_text(source)
    names = {}
    exec(compile(source, path, "exec"), names)  # our own text, under the path of the file
    with pytest.raises(Exception) as raised:  # noqa: PT011 - which one is what libraries decide
        names["add"](np.ones((4, 4)), np.ones((4, 4)))
    return faults.raised("sums", "add", "call", describe(raised.value, folder)).finding


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    C[i] = np.add(A[i], B[i])\n", "Use of unsupported NumPy function 'numpy.add'"),
        ("    C[i] = A[i] + B[i]\n", "Numba cannot compile add(array(float64, 1d, C), array(float64, 1d, C))"),
        ("    C[i / 1, 0] = 1\n", "Numba cannot compile setitem(array(float64, 2d, C), Tuple(float64, "),
        ("    C[i, :] = A[i, :]\n", "Numba makes no new arrays in a kernel"),
        ("    C[i, 0] = A[i].max()\n", "Numba cannot compile"),
        ("    C[i, 7] = 1\n", "sums.py:8: write to C[0, 7] is out of bounds"),
    ],
)
def test_the_line_in_the_kernel_is_named_and_no_line_of_numba(tmp_path, body, says):
    finding = finding_of(tmp_path, body)
    assert says in finding.message
    assert "\n" not in finding.message
    assert "site-packages" not in finding.message
    assert (finding.location, finding.line) == ("sums.py:8", body.strip())
    assert finding.hint
    assert finding.got == ""


def test_a_launch_is_named_where_it_is_what_is_wrong(tmp_path):
    finding = finding_of(tmp_path, "    C[i, 0] = 1\n", counts="A.size / 4, 4")
    assert (finding.location, finding.line) == ("sums.py:13", "add_kernel[A.size / 4, 4](A, B, C)")
    assert "//" in finding.hint


def test_what_only_a_gpu_has_costs_nothing_where_there_is_none(tmp_path):
    path = tmp_path / "sums.py"
    path.write_text("from numba import cuda\nevent = cuda.current_context().create_event\n")
    with pytest.raises(AttributeError) as raised:
        exec(compile(path.read_text(), path, "exec"), {})  # our own text, under the path of the file
    said = str(faults.missing_on_cpu("the import of sums.py", describe(raised.value, tmp_path)))
    assert said.startswith("In the import of sums.py (sums.py:2): create_event is not available in the CUDA executor")
    assert "That costs no points: a TA" in said
    name = "cannot import name 'laneid' from 'numba.cuda' (unknown location)"
    assert faults.missing_on_cpu("the import", faults.wire.Raised("ImportError", name))
    assert faults.missing_on_cpu("`add`", faults.wire.Raised("AttributeError", "no attribute 'nmae'")) is None


def test_texts_lose_addresses_and_paths_of_this_machine_and_keep_lines_that_nothing_explains():
    text = "Unknown attribute 'rand' of type Module(<module 'numpy.random' from '/opt/random.py'>) <function f at 0x7f>"
    message = faults.raised("sums", "add", "call", faults.wire.Raised("TypingError", text)).finding.message
    assert message.endswith("Unknown attribute 'rand' of type Module(<module 'numpy.random'>) <function f>")
    said = faults.wire.Raised("CourseError", "first\nsecond", "sums.py:1", "x")
    assert "first\nsecond" in faults.raised("sums", "add", "call", said).finding.message


def test_a_graded_function_that_is_made_a_kernel_is_told_so():
    said = faults.wire.Raised("ValueError", "Kernel launch configuration was not specified. Use the syntax:\n\nkernel")
    finding = faults.raised("sums", "add", "call", said).finding
    assert finding.message == "`add` raised ValueError: Kernel launch configuration was not specified."
    assert "take @cuda.jit away" in finding.hint


@each(
    "doing, how, hint",
    ("`f`", "SIGSEGV", "Look for an index out of bounds"),
    ("`f`", "exit code 3", "A function must return"),
    ("the import of utils.py", "exit code 3", "A file should only define functions"),
)
def test_how_a_process_died_says_what_to_look_for(doing, how, hint):
    assert faults.crashed(doing, how).finding.hint.startswith(hint)


@each("name, is_usual", [("torch.nn", True), ("pandas", True), ("mine", False)])
def test_a_usual_package_that_is_missing_here_is_nobodys_mistake(name, is_usual):
    missing = Raised("ModuleNotFoundError", f"No module named '{name}'", "other.py:3")
    assert str(faults.missing_package("utils", missing)).startswith("other.py imports " if is_usual else "None")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="a newer Python reads some of this")
@each(
    "kind, text, line, may_be_newer",
    ("SyntaxError", "invalid syntax", "type Row = list", True),
    ("SyntaxError", "f-string: unmatched '['", "", True),
    ("SyntaxError", "invalid syntax", "def f(:", False),
    ("ImportError", "cannot import name 'batched' from 'itertools'", "", True),
    ("ImportError", "cannot import name 'batches' from 'itertools'", "", False),
)
def test_what_a_newer_python_may_accept_is_nobodys_mistake(kind, text, line, may_be_newer):
    assert (faults.newer_python("`f`", Raised(kind, text, line=line)) is not None) == may_be_newer


def test_only_a_name_that_is_nearly_the_same_may_be_meant():
    names = ["create_batch", "sigmoid", "prime", "relu", "RELU", "FNN"]
    near = {"create_batches": "create_batch", "ReLU": "RELU", "FFN": "FNN", "sigmoid_prime": "", "Dataset": "", "f": ""}
    assert {name: "".join(str(faults.misspelt("utils", name, names)).split("`")[3:4]) for name in near} == near


@each(
    "text",
    "[700] Call to cuMemcpyDtoH results in CUDA_ERROR_ILLEGAL_ADDRESS",
    "CUDA_ERROR_ILLEGAL_ADDRESS: While executing a kernel, the device encountered a load or store on ...",
    "[1] Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE",
    "[701] Call to cuLaunchKernel results in CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
    "[218] Call to cuLinkAddData results in CUDA_ERROR_INVALID_PTX: uses too much shared data (0x13880 bytes)",
    "CUDA_ERROR_LAUNCH_FAILED: An exception occurred on the device while executing a kernel.",
    "[716] Call to cuCtxSynchronize results in CUDA_ERROR_MISALIGNED_ADDRESS",
)
def test_what_kernels_do_is_the_students_and_comes_with_advice_on_indices_if_it_is_beyond_an_array(text):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", Raised("CudaAPIError", text))
    assert isinstance(failure, faults.KernelFailed)
    assert failure.finding.hint.endswith(".")
    is_beyond = "ILLEGAL_ADDRESS" in text or "LAUNCH_FAILED" in text
    assert ("compare its index with the shape" in failure.finding.hint) == is_beyond


@each("code", [2, 3, 46, 100, 101, 201, 209, 214, 218, 220, 222, 304, 500, 802, 803, 804, 999])
def test_what_the_machine_does_is_ours(code):
    text = f"[{code}] Call to cuMemAlloc results in CUDA_ERROR_OF_SOME_KIND"
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", Raised("CudaAPIError", text))
    assert isinstance(failure, faults.MachineError)
    assert str(code) in str(failure)


@each(
    "text, words",
    {
        "370 GB asked for": ("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "more memory than was free"),
        "closed": ("CUDA_ERROR_INVALID_CONTEXT: This most frequently indicates that there is no", "cuda.close()"),
        "no driver": ("[3] Call to cuInit results in CUDA_ERROR_NOT_INITIALIZED", "not the submission"),
    },
)
def test_what_may_be_the_students_as_well_is_said_to_be_unclear(text, words):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", Raised("CUDAError", text))
    assert isinstance(failure, faults.MachineError)
    assert words in str(failure)
    assert ("cannot tell by whose fault" in str(failure)) == ("not the submission" not in str(failure))


@pytest.mark.parametrize("line", ["    cuda.select_device(1)", "    with cuda.gpus[1]:"])
def test_a_second_card_is_said_not_to_be_there(line):
    what = Raised("IndexError", "list index out of range", "max_functions.py:9", line)
    assert "One card is visible, number 0" in faults.raised("max_functions", "max_gpu", "call", what).finding.hint


@pytest.mark.parametrize("text", ["CUDA_ERROR_OUT_OF_MEMORY: out of memory", "Error at driver init: no driver", ""])
def test_what_names_no_code_of_the_students_is_ours(text):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", Raised("CudaAPIError", text))
    assert isinstance(failure, faults.MachineError)


def test_only_errors_of_cuda_are_asked_about():
    assert faults.is_cuda_error("CudaAPIError")
    assert not faults.is_cuda_error("TypingError")
