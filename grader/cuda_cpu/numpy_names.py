"""The NumPy names that CUDA's target knows inside kernels, and no others."""

from __future__ import annotations

import numpy as np

from grader.cuda_cpu.numba_internals import npydecl
from grader.cuda_cpu.target import typing_registry

npydecl.register_number_classes(typing_registry.register_global)
for _ufunc in (
    *npydecl.trigonometric_functions,
    *npydecl.comparison_functions,
    *npydecl.bit_twiddling_functions,
    "log",
    "log2",
    "log10",
    "isnan",
    "divide",
    "true_divide",
):
    npydecl.register_numpy_ufunc(_ufunc, typing_registry.register_global)
# Numba's sums and means over arrays loop with it.
typing_registry.register_global(np.nditer)(npydecl.NdIter)
