"""Arrays that kernels make for themselves: shared, local, constant."""

import itertools
import linecache
import math
import re
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from grader.cuda_cpu import numba_internals as nb
from grader.cuda_cpu.arguments import make_array
from grader.cuda_cpu.devicearray import bytes_of, unknown_bytes
from grader.cuda_cpu.intrinsics import cuda_intrinsic
from grader.cuda_cpu.records import I64, load_field

SHARED_PREFIX: Final = "cuda_cpu.shared."
OLD_LOCAL_PREFIX: Final = "cuda_cpu.old_local."
DEFAULT_ALIGNMENT: Final = 16
POINTER_BYTES: Final = 8
MAX_LOCAL_BYTES: Final = 512 * 1024

_BYTE: Final = nb.ir.IntType(8)
_numbers = itertools.count()
_ASSIGNMENT: Final = re.compile(r"\s*(\w+)\s*=[^=]")


@dataclass(frozen=True)
class SharedArray:
    """A static shared array: the variable that it is assigned to (empty if unknown), shape, element."""

    name: str
    shape: tuple[int, ...]
    element_bytes: int
    element: Any  # its Numba type


@dataclass(frozen=True)
class LocalArray:
    """The Numba type and the shape of an array that each thread has for itself."""

    kind: Any
    shape: tuple[int, ...]


_shared_arrays: Final[dict[str, SharedArray]] = {}
_local_arrays: Final[dict[str, tuple[Any, int, int]]] = {}
"""Name of the constant that a new local array holds -> the Numba type of its elements, their size, their number."""


def literal_shape(shape: Any) -> tuple[int, ...]:
    """Return the extents that an argument's Numba type names.

    Raises:
        TypingError: when they are not constant, or negative.
    """
    parts = tuple(shape) if isinstance(shape, nb.types.BaseTuple) else (shape,)
    if not parts or not all(isinstance(part, nb.types.IntegerLiteral) for part in parts):
        raise nb.TypingError(
            "the shape must be a constant known at compile time: write numbers or global constants, not variables"
        )
    sizes = tuple(part.literal_value for part in parts)
    if min(sizes) < 0:
        raise nb.TypingError(f"the shape {sizes} is negative")
    return sizes


def _array_type(shape: Any, dtype: Any) -> tuple[Any, tuple[int, ...]]:
    sizes = literal_shape(shape)
    element = nb.parse_dtype(dtype)
    if element is None:
        raise nb.TypingError(f"{dtype} is no element type: write e.g. numba.float32 or numpy.float32")
    return nb.types.Array(element, len(sizes), "C"), sizes


def _literal_alignment(alignment: Any) -> tuple[int, Any]:
    """Return the bytes that an array's address must be a multiple of, and the argument's Numba type.

    Raises:
        RequireLiteralValue: when the argument is not a constant integer.
    """
    if alignment is None or isinstance(alignment, (nb.types.NoneType, nb.types.Omitted)):
        return DEFAULT_ALIGNMENT, nb.types.Omitted(None) if alignment is None else alignment
    if not isinstance(alignment, nb.types.IntegerLiteral):
        raise nb.RequireLiteralValue("alignment must be a constant integer")
    return alignment.literal_value, alignment


def _check_alignment(align: int) -> None:
    if align <= 0:
        msg = "Alignment must be positive"
    elif align & (align - 1):
        msg = "Alignment must be a power of 2"
    elif align % POINTER_BYTES:
        msg = f"Alignment must be a multiple of {POINTER_BYTES}"
    else:
        return
    raise ValueError(msg)


def make_array_value(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Emit the array structure for C-ordered memory at ``data``; return its LLVM value."""
    strides: list[Any] = []
    step = I64(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    return make_array(context, builder, kind, data, shape, strides)


def _shared_memory(context: Any, builder: Any, kind: Any, sizes: tuple[int, ...], itemsize: int, align: int) -> Any:
    """Emit the address of a static shared array; the launcher decides where in the block's memory it lies."""
    align = max(align, context.get_abi_alignment(context.get_data_type(kind.dtype)))
    name = f"{SHARED_PREFIX}{next(_numbers)}.{math.prod(sizes) * itemsize}.{align}"
    assignment = _ASSIGNMENT.match(linecache.getline(context.current_loc.filename, context.current_loc.line))
    _shared_arrays[name] = SharedArray(assignment.group(1) if assignment else "", sizes, itemsize, kind.dtype)
    offset = builder.load(_late_constant(builder.module, I64, name))
    return builder.gep(load_field(builder, "shared_static"), [offset])


@cuda_intrinsic
def shared_array(typingctx: Any, shape: Any, dtype: Any, alignment: Any = None) -> Any:
    """Return an array that all threads of a block share; a size of 0 means the launch's dynamic shared memory."""
    kind, sizes = _array_type(shape, dtype)
    align, align_type = _literal_alignment(alignment)

    def emit(context: Any, builder: Any, *_: Any) -> Any:
        _check_alignment(align)
        itemsize = int(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        if sizes == (0,):
            count = builder.udiv(load_field(builder, "shared_dynamic_bytes"), I64(itemsize))
            return make_array_value(context, builder, kind, load_field(builder, "shared_dynamic"), [count])
        if math.prod(sizes) == 0:
            raise ValueError("Elements exceed the dynamic shared memory: only one-dimensional arrays may have size 0")
        data = _shared_memory(context, builder, kind, sizes, itemsize, align)
        return make_array_value(context, builder, kind, data, [I64(n) for n in sizes])

    return nb.signature(kind, shape, dtype, align_type), emit


@cuda_intrinsic
def local_array(typingctx: Any, shape: Any, dtype: Any, alignment: Any = None) -> Any:
    """Return an array that one thread has for itself."""
    kind, sizes = _array_type(shape, dtype)
    align, align_type = _literal_alignment(alignment)
    if math.prod(sizes) <= 0:
        raise nb.NumbaValueError(f"local.array needs a positive size, got {sizes}")
    array = LocalArray(kind, sizes)

    def emit(context: Any, builder: Any, *_: Any) -> Any:
        _check_alignment(align)
        total = getattr(builder.function, "local_bytes", 0) + local_size_bytes(context, array)
        builder.function.local_bytes = total
        if total > MAX_LOCAL_BYTES:
            raise ValueError(f"local arrays of {total} bytes: CUDA's limit is {MAX_LOCAL_BYTES} bytes per thread")
        data, context.local_memory = context.local_memory, None
        if data is None:
            with builder.goto_entry_block():
                entries = nb.ir.ArrayType(context.get_data_type(kind.dtype), math.prod(sizes))
                data = builder.alloca(entries, name="local")
                data.align = align
                clear_local_array(context, builder, array, data)
        return make_array_value(context, builder, kind, data, [I64(n) for n in sizes])

    return nb.signature(kind, shape, dtype, align_type), emit


def local_size_bytes(context: Any, array: LocalArray) -> int:
    """Return the bytes of a local array of one thread."""
    return math.prod(array.shape) * int(context.get_abi_sizeof(context.get_data_type(array.kind.dtype)))


def clear_local_array(context: Any, builder: Any, array: LocalArray, data: Any) -> None:
    """Emit the code that fills a new local array.

    A GPU leaves old values in it. With zeros, a kernel that reads them gives the same result every time. Where the
    launcher defines the constant as zeros, LLVM makes a plain clearing of the copy.
    """
    name = f"{OLD_LOCAL_PREFIX}{next(_numbers)}"
    size_bytes, count = local_size_bytes(context, array), math.prod(array.shape)
    _local_arrays[name] = array.kind.dtype, size_bytes // count, count
    held = _late_constant(builder.module, nb.ir.ArrayType(_BYTE, size_bytes), name)
    nb.cgutils.raw_memcpy(builder, data, held, I64(size_bytes), 1)


def _late_constant(module: Any, kind: Any, name: str) -> Any:
    """Declare a constant whose value is known when the kernel is linked, see `define_constants`."""
    constant = nb.ir.GlobalVariable(module, kind, name)
    constant.global_constant = True
    return constant


def define_constants(module: Any, offsets: dict[str, int], local_arrays: list[str], old_value: int) -> None:
    """Define the offsets of the static shared arrays, and what each local array holds when it is new."""
    for name, offset in offsets.items():
        _late_constant(module, I64, name).initializer = I64(offset)
    for name in local_arrays:
        element, element_bytes, count = _local_arrays[name]
        kind = nb.ir.ArrayType(_BYTE, element_bytes * count)
        held = bytearray(bytes_of(old_value, element, element_bytes) * count) if old_value else None  # None: zeros
        _late_constant(module, kind, name).initializer = kind(held)


def old_shared_memory(offsets: dict[str, int], size_bytes: int, value: int) -> np.ndarray[Any, Any]:
    """Return what a block's shared memory holds before the block begins, if not zeros.

    Args:
        offsets: of the static arrays, see `shared_layout`.
        size_bytes: of all shared memory of a block.
        value: of each element; memory whose element type is not known holds other numbers.
    """
    memory = bytearray(unknown_bytes(size_bytes))
    for name, offset in offsets.items():
        array = _shared_arrays[name]
        filled = bytes_of(value, array.element, array.element_bytes) * math.prod(array.shape)
        memory[offset : offset + len(filled)] = filled
    return np.frombuffer(memory, np.uint8)


@cuda_intrinsic
def const_array_like(typingctx: Any, ndarray: Any) -> Any:
    """Return a constant array: the global array itself, whose values Numba froze when it compiled the kernel."""
    return nb.signature(ndarray, ndarray), lambda context, builder, array: array


def find_shared_array(name: str) -> SharedArray:
    """Return the static shared array behind an offset constant."""
    return _shared_arrays[name]


def shared_layout(names: list[str]) -> tuple[dict[str, int], int]:
    """Return the offset of each static shared array in the block's memory, and the bytes of all together.

    `names` are the names of the arrays' offset constants; each holds the array's number, size and alignment.
    """
    offsets: dict[str, int] = {}
    total = 0
    for name in sorted(names, key=lambda text: int(text.removeprefix(SHARED_PREFIX).split(".")[0])):
        size_bytes, align = (int(part) for part in name.removeprefix(SHARED_PREFIX).split(".")[1:])
        total = -(-total // align) * align
        offsets[name] = total
        total += size_bytes
    return offsets, total
