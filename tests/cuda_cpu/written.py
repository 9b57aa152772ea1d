"""Kernels of a line or two, written as texts beside what is expected of them."""

import math
import textwrap

import numpy as np
from numba import cuda


def columns_of(parameters, *expressions):
    """Return a kernel that writes each expression, which may name the thread's number `i`, into a column of `out`."""
    lines = [f"out[i, {place}] = {expression}" for place, expression in enumerate(expressions)]
    return kernel_of(f"{parameters}, out", "\n".join(["i = cuda.grid(1)", *lines]))


def kernel_of(parameters, body, *signature, names=None, **options):
    """Return the kernel that has these parameters and this body, which may use `names`; the rest is for `cuda.jit`."""
    namespace = {"cuda": cuda, "math": math, "np": np, **(names or {})}
    exec(f"def kernel({parameters}):\n{textwrap.indent(body, '    ')}\n", namespace)
    return cuda.jit(*signature, **options)(namespace["kernel"])
