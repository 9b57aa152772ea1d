"""What the staff's worker measures of a GPU, on the executor: times are times of nothing, and products are products."""

import json
import sys
import textwrap

import pytest
from subprocesses import ended

PROGRAM = """
import ctypes, json, sys, types
import numpy as np
import grader.cuda_cpu
grader.cuda_cpu.install()
from numba import cuda
from grader.assignments.gemm.baselines import rates

kept = []
to_device = cuda.to_device
cuda.to_device = lambda array: kept.append(to_device(array)) or kept[-1]

def at(address, count):
    return np.ctypeslib.as_array((ctypes.c_float * count).from_address(address))

def sgemm(handle, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc):
    assert (handle, transa, transb, lda, ldb, ldc) == (7, "N", "N", m, k, m)
    left, right, out = (at(place, rows * columns).reshape(columns, rows).T  # column by column
                        for place, rows, columns in ((a, m, k), (b, k, n), (c, m, n)))
    out[:] = at(alpha, 1) * (left @ right) + at(beta, 1) * out

cublas = types.SimpleNamespace(create=lambda: 7, Operation=types.SimpleNamespace(N="N"), sgemm=sgemm)
cupy = types.SimpleNamespace(asarray=lambda array: at(array.__cuda_array_interface__["data"][0], array.size).reshape(
    array.shape), matmul=np.matmul)
if "bare" in sys.argv:  # as `pip install cupy-cuda13x` leaves it: cuBLAS is looked for at the first product
    cupy.matmul = lambda *_, **__: (_ for _ in ()).throw(ImportError("libcublas.so.13: cannot open shared object file"))
sys.modules["cupy"] = cupy if "cupy" in sys.argv else None
sys.modules["nvmath"] = sys.modules["nvmath.bindings"] = types.ModuleType("nvmath")
sys.modules["nvmath.bindings.cublas"] = cublas if "nvmath" in sys.argv else None
times_s = rates.time_roofline(64, 3, 2, 8, 1000) if "roofline" in sys.argv else rates.time_cublas(24, 3)
A, B, C = [array.copy_to_host() for array in kept] or [np.eye(2)] * 3
print(json.dumps([times_s, float(np.abs(C - A.astype(float) @ B).max())]))
"""


def asked(*words):
    done = ended([sys.executable, "-W", "ignore", "-c", textwrap.dedent(PROGRAM), *words])
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.splitlines()[-1]


@pytest.mark.wide
@pytest.mark.parametrize("words", [["cupy"], ["nvmath"], ["cupy", "bare", "nvmath"], ["roofline"]])
def test_a_block_has_its_times_and_cublas_gets_the_factors_in_its_order(words):
    times_s, off = asked(*words)
    assert len(times_s) == 3
    assert min(times_s) > 0
    assert off < 1e-4


def test_without_either_package_nothing_is_said_of_cublas():
    assert asked().startswith(("ImportError", "ModuleNotFoundError"))
    program = [sys.executable, "-W", "ignore", "-m", "grader.assignments.gemm.baselines.rates"]
    assert ended(program).stdout.startswith(("cuBLAS: missing (", "cuBLAS: ran"))
