"""Whose fault an error of CUDA is, in the words of each implementation."""

import pytest
from rows import each

from grader.worker import cudafaults, faults, wire


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
def test_what_kernels_do_is_the_students_and_comes_with_advice(text):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", wire.Raised("CudaAPIError", text))
    assert isinstance(failure, faults.KernelFailed)
    assert failure.finding.hint.endswith(".")


@each("code", [2, 3, 46, 100, 101, 201, 209, 214, 218, 220, 222, 304, 500, 802, 803, 804, 999])
def test_what_the_machine_does_is_ours(code):
    text = f"[{code}] Call to cuMemAlloc results in CUDA_ERROR_OF_SOME_KIND"
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", wire.Raised("CudaAPIError", text))
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
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", wire.Raised("CUDAError", text))
    assert isinstance(failure, faults.MachineError)
    assert words in str(failure)
    assert ("cannot tell by whose fault" in str(failure)) == ("not the submission" not in str(failure))


@pytest.mark.parametrize("line", ["    cuda.select_device(1)", "    with cuda.gpus[1]:"])
def test_a_second_card_is_said_not_to_be_there(line):
    what = wire.Raised("IndexError", "list index out of range", "max_functions.py:9", line)
    assert "One card is visible, number 0" in faults.raised("max_functions", "max_gpu", "call", what).finding.hint


@pytest.mark.parametrize("text", ["CUDA_ERROR_OUT_OF_MEMORY: out of memory", "Error at driver init: no driver", ""])
def test_what_names_no_code_of_the_students_is_ours(text):
    assert not cudafaults.is_students(text)


def test_only_errors_of_cuda_are_asked_about():
    assert cudafaults.is_cuda_error("CudaAPIError")
    assert not cudafaults.is_cuda_error("TypingError")
