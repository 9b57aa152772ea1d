"""Kernels of a line or two, written as texts beside what is expected of them."""

import math
import textwrap
from pathlib import Path

import numpy as np
from numba import cuda

WARP_SUM = """\
value, step = x[cuda.grid(1)], 16
while step > 0:
    value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    step //= 2
"""
LOCKED = """\
while cuda.atomic.cas(lock, 0, 0, 1) != 0:
    pass
cuda.threadfence()
out[0] += {}
cuda.threadfence()
cuda.atomic.exch(lock, 0, 0)
"""


def columns_of(parameters, *expressions):
    """Return a kernel that writes each expression, which may name the thread's number `i`, into a column of `out`."""
    lines = [f"out[i, {place}] = {expression}" for place, expression in enumerate(expressions)]
    return kernel_of(f"{parameters}, out", "\n".join(["i = cuda.grid(1)", *lines]))


def kernel_of(parameters, body, *signature, names=None, **options):
    """Return the kernel that has these parameters and this body, which may use `names`; the rest is for `cuda.jit`."""
    namespace = {"cuda": cuda, "math": math, "np": np, **(names or {})}
    exec(f"def kernel({parameters}):\n{textwrap.indent(body, '    ')}\n", namespace)
    return cuda.jit(*signature, **options)(namespace["kernel"])


def line_of(kernel, text):
    """Return the number of the first line of a kernel in a file that has this text."""
    code = kernel.py_func.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if n > code.co_firstlineno and text in line)
