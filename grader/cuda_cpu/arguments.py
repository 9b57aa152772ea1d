"""Kernel arguments: which memory a kernel works on, what is copied back, and how values travel as 64-bit words.

``cuda.In``, ``cuda.Out`` and ``cuda.InOut`` say which way a host array is copied for a launch. `make_packer` makes the
function that writes a value into words and `unpack_value` emits the code that reads it back. Both walk the Numba type
in the same order, so that neither needs a table of offsets.
"""

import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np

from grader.cuda_cpu.devicearray import DeviceNDArray, memory_of, require_contiguous
from grader.cuda_cpu.hostapi import as_cuda_array, is_cuda_array
from grader.cuda_cpu.numba_internals import NumbaNotImplementedError, Purpose, load_arrays, numpy_support, typeof, types
from grader.cuda_cpu.records import I8P, I64

WriteBack = Callable[[], None]


class Transfer:
    """A host array with the directions in which its values are copied."""

    copies_out = True

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def _numba_type_(self) -> Any:
        return typeof(self.value, Purpose.argument)

    def to_memory(self, write_backs: list[WriteBack]) -> Any:
        """Return the memory that the kernel works on; if values are copied back, add that copy to ``write_backs``."""
        if not hasattr(self.value, "copy"):
            return self.value
        memory = self.value.copy(order="K")
        if self.copies_out:
            write_backs.append(lambda: self.value.__setitem__(..., memory))
        return memory


class In(Transfer):
    """Copied to the device before the launch."""

    copies_out = False


class Out(Transfer):
    """Copied from the device after the launch."""


class InOut(Transfer):
    """Copied both ways."""


def to_memory(value: Any, used: list[Any], write_backs: list[WriteBack]) -> Any:
    """Return the memory that a kernel may use for an argument; anything but arrays is returned unchanged.

    A GPU works on a copy of each host array and copies it back afterwards. The kernel may use the host array itself
    unless it shares memory with an argument before it.
    """
    if type(value) is np.ndarray:  # first: most arguments are
        return _host_memory(value, used, write_backs)
    if isinstance(value, Transfer):
        return value.to_memory(write_backs)
    if isinstance(value, DeviceNDArray) or is_cuda_array(value):
        return memory_of(as_cuda_array(value))
    if isinstance(value, tuple):
        return tuple(to_memory(item, used, write_backs) for item in value)
    if isinstance(value, np.void):
        return _record_memory(value, write_backs)
    return _host_memory(value, used, write_backs) if isinstance(value, np.ndarray) else value


def _host_memory(value: np.ndarray[Any, Any], used: list[Any], write_backs: list[WriteBack]) -> np.ndarray[Any, Any]:
    require_contiguous(value)
    if any(np.may_share_memory(value, other) for other in used):
        copy = value.copy(order="K")
        if value.flags.writeable:
            write_backs.append(lambda: np.copyto(value, copy))
        return copy
    used.append(value)
    return value


def _record_memory(value: np.void, write_backs: list[WriteBack]) -> Any:
    memory = np.array(value)
    if value.flags.writeable:
        write_backs.append(lambda: np.copyto(np.asarray(value), memory))
    return memory


WORD_BYTES: Final = 8
Packer = Callable[[Any], bytes]


def _is_read_alike(dtype: np.dtype[Any], compiled: np.dtype[Any] | None) -> bool:
    """Return whether both types read the same bytes alike; integers of one size may differ in sign, as on a GPU."""
    if compiled is None or dtype is compiled:
        return compiled is not None
    if dtype.kind in "iu" and compiled.kind in "iu":
        return dtype.itemsize == compiled.itemsize and dtype.isnative == compiled.isnative
    return bool(dtype == compiled)


def _make_array_packer(kind: Any) -> Packer:
    """Return the packer of arrays; it refuses an array that the machine code was not compiled for.

    Numba does not check the arguments of a kernel with one signature; a GPU would then read whatever is there.
    """
    dtype: np.dtype[Any] | None = None
    with suppress(NumbaNotImplementedError):  # a type that only kernels know
        dtype = numpy_support.as_dtype(kind.dtype)
    contiguous = {"C": "c_contiguous", "F": "f_contiguous"}.get(kind.layout)
    words = struct.Struct(f"<{1 + 2 * kind.ndim}q")

    def pack(array: Any) -> bytes:
        fits = isinstance(array, np.ndarray) and array.ndim == kind.ndim and _is_read_alike(array.dtype, dtype)
        if not fits or (contiguous is not None and not getattr(array.flags, contiguous)):
            given = f"{array.ndim}-dimensional {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
            raise TypeError(f"the kernel was compiled for {kind}, but was given: {given}")
        return words.pack(array.ctypes.data, *array.shape, *array.strides)

    return pack


def _as_scalar(value: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    array = np.asarray(value)
    if array.ndim or array.dtype.kind not in "biufcmM" or (array.dtype.kind == "c" and dtype.kind != "c"):
        raise TypeError(f"the kernel was compiled for a number of type {dtype}, but was given: {type(value).__name__}")
    return array.astype(dtype, casting="unsafe")


def _pack_scalar(dtype: np.dtype[Any]) -> Packer:
    length = -(-dtype.itemsize // WORD_BYTES) * WORD_BYTES

    def pack(value: Any) -> bytes:
        if isinstance(value, int) and not isinstance(value, bool) and dtype.kind in "iu":
            raw = (value & ((1 << 8 * dtype.itemsize) - 1)).to_bytes(dtype.itemsize, "little")
        else:
            raw = _as_scalar(value, dtype).tobytes()
        return raw.ljust(length, b"\0")

    return pack


def make_packer(kind: Any) -> Packer:
    """Return the function that turns a Python value of Numba type ``kind`` into words.

    Arrays arrive as NumPy arrays whose memory the kernel uses; records as zero-dimensional arrays.

    Raises:
        NotImplementedError: for a type that a kernel cannot take.
    """
    if isinstance(kind, types.Array):
        return _make_array_packer(kind)
    if isinstance(kind, types.Record):
        return lambda value: struct.pack("<q", value.ctypes.data)
    if isinstance(kind, types.CPointer):
        return lambda address: struct.pack("<Q", address)
    if isinstance(kind, types.BaseTuple):
        parts = [make_packer(part) for part in kind]
        return lambda value: b"".join(pack(item) for pack, item in zip(parts, value, strict=True))
    if isinstance(kind, types.EnumMember):
        inner = make_packer(kind.dtype)
        return lambda value: inner(value.value)
    if isinstance(kind, (types.Number, types.Boolean, types.NPDatetime, types.NPTimedelta)):
        return _pack_scalar(numpy_support.as_dtype(types.unliteral(kind)))
    if isinstance(kind, types.Dummy):
        return lambda _: b""
    raise NotImplementedError(f"{kind} as a kernel argument is not supported: pass arrays, numbers or tuples of them")


class Cursor:
    """A position in the packed words, for code that is emitted to read one value after the other."""

    def __init__(self, builder: Any, words: Any) -> None:
        self._builder = builder
        self._words = words
        self._offset_bytes = 0

    def take(self, size_bytes: int) -> Any:
        """Return an ``i8*`` to the next value and step over it."""
        pointer = self._builder.gep(self._words, [I64(self._offset_bytes)], inbounds=True)
        self._offset_bytes += -(-size_bytes // WORD_BYTES) * WORD_BYTES
        return pointer

    def take_word(self) -> Any:
        """Return the next word as an ``i64``."""
        return self._builder.load(self._builder.bitcast(self.take(WORD_BYTES), I64.as_pointer()))


def make_array(context: Any, builder: Any, kind: Any, pointer: Any, shape: list[Any], strides: list[Any]) -> Any:
    """Emit the structure of an array of Numba type ``kind`` whose memory begins at a pointer; return its LLVM value."""
    array = context.make_array(kind)(context, builder)
    data = builder.bitcast(pointer, array.data.type)
    itemsize = I64(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    load_arrays().populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()  # noqa: SLF001  # numba's own protocol


def unpack_value(context: Any, builder: Any, kind: Any, cursor: Cursor) -> Any:
    """Emit code that reads a value of Numba type ``kind``; return the LLVM value."""
    if isinstance(kind, types.Array):
        pointer = builder.inttoptr(cursor.take_word(), I8P)
        shape, strides = ([cursor.take_word() for _ in range(kind.ndim)] for _ in range(2))
        return make_array(context, builder, kind, pointer, shape, strides)
    if isinstance(kind, (types.Record, types.CPointer)):
        return builder.inttoptr(cursor.take_word(), context.get_value_type(kind))
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [unpack_value(context, builder, part, cursor) for part in kind])
    if isinstance(kind, types.Dummy):
        return context.get_dummy_value()
    inner = kind.dtype if isinstance(kind, types.EnumMember) else kind
    data_type = context.get_data_type(inner)
    pointer = cursor.take(context.get_abi_sizeof(data_type))
    return context.unpack_value(builder, inner, builder.bitcast(pointer, data_type.as_pointer()))
