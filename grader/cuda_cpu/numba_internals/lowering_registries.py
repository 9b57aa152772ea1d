"""Lowering of what CUDA's target knows: numbers, tuples, ranges, arrays, math, ufuncs; seen in Numba 0.67.0 and 0.68.1.

Four modules have registries that a target installs; the others register themselves when they are imported.
"""

from numba.core import optional
from numba.cpython import (
    builtins,
    charseq,
    cmathimpl,
    enumimpl,
    iterators,
    mathimpl,
    numbers,
    rangeobj,
    slicing,
    tupleobj,
    unicode,
)
from numba.misc import cffiimpl, literal
from numba.np import arrayobj, npdatetime, npyimpl
from numba.np.unsafe import ndarray

REGISTRIES = tuple(module.registry for module in (cmathimpl, cffiimpl, mathimpl, npyimpl))
