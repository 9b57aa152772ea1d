"""Types and functions of one's own in kernels, by Numba's CUDA extension API: an interval, and a quaternion."""

import operator

import numpy as np
import pytest
from numba import cuda, njit, types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.cuda.cudadecl import registry
from numba.cuda.cudaimpl import lower, lower_attr
from numba.cuda.extending import intrinsic, overload, overload_method
from numba.cuda.models import StructModel, register_model
from numba.extending import make_attribute_wrapper, typeof_impl

from grader.cuda_cpu import counting

pytestmark = pytest.mark.wide


def make_type(python_class, *fields):
    """Make a class of fields of type float64 known to kernels; return its Numba type."""
    kind = type(f"{python_class.__name__}Type", (types.Type,), {})
    made = kind(python_class.__name__)

    @register_model(kind)
    class Model(StructModel):
        def __init__(self, manager, kind):
            super().__init__(manager, kind, [(name, types.float64) for name in fields])

    for name in fields:
        make_attribute_wrapper(kind, name, name)

    @registry.register_global(python_class)
    class Template(AbstractTemplate):
        key = python_class

        def generic(self, args, kws):
            return signature(made, *[types.float64] * len(fields)) if len(args) == len(fields) else None

    @lower(python_class, *[types.float64] * len(fields))
    def make(context, builder, sig, args):
        return cgutils.pack_struct(builder, args)

    return made


class Interval:
    """What lies between two numbers."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi


class Quaternion:
    """A rotation in space."""

    def __init__(self, w, x, y, z):
        self.parts = w, x, y, z


INTERVAL, QUATERNION = make_type(Interval, "lo", "hi"), make_type(Quaternion, "w", "x", "y", "z")
typeof_impl.register(Interval)(lambda value, context: INTERVAL)


@registry.register_attr
class IntervalAttributes(AttributeTemplate):
    key = type(INTERVAL)

    def resolve_width(self, interval):
        return types.float64


@lower_attr(type(INTERVAL), "width")
def lower_width(context, builder, kind, value):
    return builder.fsub(builder.extract_value(value, 1), builder.extract_value(value, 0))


@intrinsic
def twice(typingctx, value):
    return types.float64(types.float64), lambda context, builder, sig, args: builder.fadd(args[0], args[0])


@overload_method(type(INTERVAL), "middle")
def middle(interval):
    return lambda interval: (interval.lo + interval.hi) / 2


@overload(operator.mul)
def multiply(p, q):
    if p == q == QUATERNION:
        return lambda p, q: Quaternion(
            p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
            p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
            p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
        )
    return None


@njit
def join(a, b):
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


@cuda.jit
def widths(out, x):
    i = cuda.threadIdx.x
    own = Interval(x[i, 0], x[i, 1])
    cuda.syncthreads()
    out[i, 0] = join(own, Interval(-1.0, 1.0)).width
    out[i, 1] = twice(own.middle())


@cuda.jit
def turn(q):
    turned = Quaternion(0.0, 0.0, 0.0, 1.0) * Quaternion(q[0], q[1], q[2], q[3])
    q[0], q[1], q[2], q[3] = turned.w, turned.x, turned.y, turned.z


def test_an_interval_has_attributes_and_methods_behind_a_barrier_and_quaternions_an_operator():
    x, out = np.array([[0.0, 2.0], [-3.0, 0.5]]), np.zeros((2, 2))
    widths[1, 2](out, x)
    np.testing.assert_array_equal(out, [[3, 2], [4, -2.5]])
    q = np.array([1.0, 2.0, 3.0, 4.0])
    with counting() as record:
        turn[1, 1](q)
    np.testing.assert_array_equal(q, [-4, -3, 2, 1])
    assert record.launches[0].total("accesses", "load") == 4


def test_a_value_of_ones_own_type_is_no_argument_of_a_kernel():
    with pytest.raises(NotImplementedError, match="Interval as a kernel argument is not supported: pass arrays"):
        cuda.jit(lambda interval: None)[1, 1](Interval(0.0, 1.0))
