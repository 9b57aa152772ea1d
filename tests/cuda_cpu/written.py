"""Kernels of a line or two, written as texts beside what is expected of them."""

import math
import textwrap

import numpy as np
from numba import cuda


def kernel_of(parameters, body, *signature, **options):
    """Return the kernel that has these parameters and this body; the rest is given to `cuda.jit`."""
    namespace = {"cuda": cuda, "math": math, "np": np}
    exec(f"def kernel({parameters}):\n{textwrap.indent(body, '    ')}\n", namespace)
    return cuda.jit(*signature, **options)(namespace["kernel"])
