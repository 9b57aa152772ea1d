"""A program for any installation: lets calls of the driver fail with many codes and prints what Numba raises then.

One JSON object a line: where it struck, the code, the exception's type and text, and whether all was well afterwards.
Its first argument is `all`, or a code with which the driver does not even start.
"""

import ctypes
import json
import sys

import numpy as np
from numba import cuda

STRIKES = {
    "compile": ("cuLibraryLoadData", "cuModuleLoadData"),
    "allocation": ("cuMemAlloc",),
    "copy there": ("cuMemcpyHtoD",),
    "launch": ("cuLaunchKernel",),
    "kernel": ("launch:larger",),
    "copy back": ("cuMemcpyDtoH",),
    "synchronize": ("cuCtxSynchronize",),
}
"""Where it strikes -> the calls that fail; which of them is made depends on the installation."""
OURS = (2, 3, 4, 46, 100, 101, 201, 205, 209, 214, 216, 218, 220, 221, 222, 223, 226, 300, 304, 400, 401, 500, 600)
OURS = (*OURS, 708, 709, 800, 801, 802, 803, 804, 805, 807, 808, 999)
STUDENTS = (700, 701, 702, 710, 714, 715, 716, 717, 718, 719)
A = np.arange(64.0)


def call(kernel):
    out = cuda.to_device(A)
    kernel[1, 64](cuda.to_device(A[::-1].copy()), out)
    cuda.synchronize()
    return out.copy_to_host()


def make_kernel():
    @cuda.jit
    def larger(a, out):
        i = cuda.grid(1)
        if i < out.size and a[i] > out[i]:
            out[i] = a[i]

    return larger


def attempt(where, code, strike, kernel):
    raised, text = "", ""
    driver = ctypes.CDLL("libcuda.so.1")
    driver.standin_fail(strike.encode(), code)
    try:
        call(kernel)
    except Exception as error:  # noqa: BLE001 - what it is, is what is asked
        raised, text = type(error).__name__, str(error)
    driver.standin_heal()
    return {"where": where, "code": code, "type": raised, "text": text[:500]}


def main():
    if sys.argv[1] != "all":
        print(json.dumps(attempt("start", int(sys.argv[1]), "cuDevicePrimaryCtxRetain", make_kernel())))
        return
    kernel = make_kernel()
    for where, calls in STRIKES.items():
        for code in (*OURS, *STUDENTS):
            call(kernel)
            for strike in calls:
                found = attempt(where, code, strike, make_kernel() if where == "compile" else kernel)
                if found["type"]:
                    print(json.dumps(found), flush=True)
                    break


if __name__ == "__main__":
    main()
