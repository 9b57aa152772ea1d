"""Which members of a library do the work that the sheet wants written by hand.

A list of what is allowed is the base: making, copying and reshaping arrays, number types, index helpers, CUDA.
What is not on it is certain where it is known to compute whole results, and otherwise a case for a person.
"""

from __future__ import annotations

import builtins
import sys
from enum import Enum, auto

import numpy as np


class Verdict(Enum):
    """How a use of a library member is to be read."""

    FINE = auto()
    SUSPICIOUS = auto()
    CERTAIN = auto()


def words(names: str) -> frozenset[str]:
    """Return the names in a text."""
    return frozenset(names.split())


SCALAR_FUNCTIONS = words(
    "ceil floor trunc rint sqrt cbrt log log2 log10 exp abs absolute fabs isnan isinf isfinite sign mod gcd"
)
"""Used on single numbers such as grid sizes; none of them computes a maximum or a product of matrices."""
_MAKING = "zeros empty ones full zeros_like empty_like ones_like full_like array asarray asanyarray ascontiguousarray"
_SHAPING = (
    "asfortranarray copy copyto reshape ravel transpose squeeze expand_dims moveaxis swapaxes atleast_1d atleast_2d"
)
_COUNTING = "arange ndindex ndenumerate nditer shape size ndim prod round around unravel_index ravel_multi_index"
_OTHER = "append concatenate vstack hstack stack fromiter eye identity allclose array_equal isclose iinfo finfo dtype"
_SETTINGS = "errstate seterr set_printoptions result_type can_cast array2string array_repr isscalar issubdtype"
ALLOWED_NUMPY = words(f"{_MAKING} {_SHAPING} {_COUNTING} {_OTHER} {_SETTINGS} ndarray random")
_UFUNCS = frozenset(name for name in dir(np) if isinstance(getattr(np, name, None), np.ufunc))
_REDUCTIONS = "max amax nanmax min amin nanmin sum nansum mean average cumsum cumprod ptp median argmax argmin sort"
_PRODUCTS = "dot vdot inner outer kron tensordot einsum cross convolve correlate multi_dot matrix_power cov corrcoef"
_CHOICES = "where select choose piecewise clip putmask place extract compress argsort partition lexsort putmask"
_WRAPPERS = "vectorize frompyfunc apply_along_axis apply_over_axes matrix asmatrix"
WORKING_NUMPY = (_UFUNCS | words(f"{_REDUCTIONS} {_PRODUCTS} {_CHOICES} {_WRAPPERS}")) - SCALAR_FUNCTIONS

ALLOWED_ATTRIBUTES = words(
    "shape size ndim T dtype itemsize nbytes flat strides flags data base real ctypes copy tolist astype ravel flatten"
    " reshape transpose squeeze swapaxes item itemset fill view copy_to_host copy_to_device is_c_contiguous"
    " resize setflags tobytes diagonal imag byteswap device to_device mT any all"
)
_ARITHMETIC = "add sub mul matmul truediv floordiv mod pow lt le gt ge eq ne and or xor neg abs invert divmod"
WORKING_ATTRIBUTES = (
    frozenset(name for name in dir(np.ndarray) if not name.startswith("_"))
    | frozenset(f"__{kind}{name}__" for name in _ARITHMETIC.split() for kind in ("", "r", "i"))
) - ALLOWED_ATTRIBUTES
TELLING_ATTRIBUTES = words("dot matmul maximum fmax clip einsum inner __matmul__ __rmatmul__")
"""Suspicious on a value of which nothing is known."""

COMPUTING_LIBRARIES = words(
    "scipy torch cupy pandas polars tensorflow jax sklearn numexpr dask theano mxnet cv2 PIL xarray blas"
)
FOREIGN_LIBRARIES = words("ctypes cffi")
"""Ways to call compiled code that cannot be read."""
WORKING_STANDARD = words("math.sumprod statistics.linear_regression")
PROCESS_LIBRARIES = words("subprocess multiprocessing threading concurrent _thread asyncio signal socket select sched")
WRAPPING = frozenset({"functools.wraps", "functools.lru_cache", "functools.cache"})
"""Decorators that leave their function as it is."""
CLOCKS = frozenset(
    f"time.{name}{suffix}"
    for name in ("time", "perf_counter", "monotonic", "process_time", "thread_time")
    for suffix in ("", "_ns")
) | {"timeit.default_timer", "datetime.datetime.now"}
SLEEPS = frozenset({"time.sleep", "asyncio.sleep", "select.select", "signal.pause", "os.system", "os.popen"})
RUNNERS = frozenset({"timeit.timeit", "timeit.repeat", "timeit.Timer"})
"""They run a text as a program."""
INNER_NUMBA = words("np misc parfors stencils pycc testing tests cpython")
COMPILERS = frozenset({"numba.njit", "numba.jit"})
OTHER_COMPILERS = frozenset({"numba.vectorize", "numba.guvectorize", "numba.stencil", "numba.cfunc"})
ELEMENTWISE = words("numba.vectorize numba.guvectorize numpy.vectorize numba.cuda.reduce numba.cuda.Reduce")
"""What these make of a function gets single elements."""
DYNAMIC_BUILTINS = frozenset({"eval", "exec", "compile", "globals", "locals", "breakpoint", "input"})
BUILTINS = frozenset(dir(builtins))
STAR_MEMBERS = {
    "numpy": frozenset(np.__all__),
    "numba": words("njit jit prange vectorize guvectorize stencil cfunc objmode typed types float32 float64"),
    "numba.cuda": words("jit grid gridsize to_device device_array syncthreads shared local atomic"),
}
"""What `from module import *` binds, for the modules that students import so."""


def judge(path: str) -> Verdict:
    """Return how a use of the library member with this dotted path is to be read."""
    root, *rest = path.split(".")
    if root == "numpy":
        return _judge_numpy(rest)
    if root == "numba":
        is_odd = any(f"numba.{name}" in OTHER_COMPILERS or name == "objmode" for name in rest)
        is_inside = len(rest) > 1 and rest[0] in INNER_NUMBA
        return Verdict.SUSPICIOUS if is_odd or is_inside else Verdict.FINE
    if path in RUNNERS:
        return Verdict.SUSPICIOUS
    if root in COMPUTING_LIBRARIES:
        return Verdict.CERTAIN if rest else Verdict.FINE
    if path in WORKING_STANDARD:
        return Verdict.CERTAIN
    if root in FOREIGN_LIBRARIES:
        return Verdict.SUSPICIOUS
    known = root in sys.stdlib_module_names or root == "builtins"
    return Verdict.FINE if known or not rest else Verdict.SUSPICIOUS


def canonical(path: str) -> str:
    """Return the usual path of a member that is reachable by several, as NumPy is by what imports it."""
    inner = {"numba.core.decorators.": "numba.", "numba.decorators.": "numba.", "numpy.core.umath.": "numpy."}
    for long, short in inner.items():
        path = path.replace(long, short) if path.startswith(long) else path
    parts = path.split(".")
    first = 2 if parts[0] == "numba" else 0  # Numba's own package `numba.np` is not NumPy
    borrowed = [index for index in range(first, len(parts)) if parts[index] in {"np", "numpy"}]
    return ".".join(["numpy", *parts[borrowed[-1] + 1 :]]) if borrowed else path


def _judge_numpy(rest: list[str]) -> Verdict:
    if not rest or (rest[0] in {"random", "testing", "typing"} and not WORKING_NUMPY.intersection(rest[2:])):
        return Verdict.FINE
    if WORKING_NUMPY.intersection(rest) or "?" in rest:
        return Verdict.CERTAIN if "?" not in rest else Verdict.SUSPICIOUS
    if rest[0] == "ndarray" and WORKING_ATTRIBUTES.intersection(rest):
        return Verdict.CERTAIN
    if rest[0] in ALLOWED_NUMPY or rest[0] in SCALAR_FUNCTIONS:
        return Verdict.FINE
    member = getattr(np, rest[0], None)
    is_harmless = not callable(member) or (isinstance(member, type) and issubclass(member, np.generic))
    return Verdict.FINE if is_harmless and len(rest) == 1 else Verdict.SUSPICIOUS
