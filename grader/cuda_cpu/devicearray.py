"""Arrays in the memory of the device, which is ordinary memory that only kernels and copies may touch.

A GPU clears nothing: a new array holds what was there before. Here new memory holds zeros, so that a launch gives the
same result every time. Inside `old_values` every new array of device memory, every shared array at the beginning of a
block and every local array holds a number other than zero, so that a kernel that needs zeros gives another result.
"""

from __future__ import annotations

import ctypes
from operator import index
from types import EllipsisType
from typing import Any, Final, NoReturn

import numpy as np

from grader.cuda_cpu.devices import NotOnCpuError
from grader.cuda_cpu.launches import old_value
from grader.cuda_cpu.numba_internals import as_dtype, numpy_support, types

_BYTE: Final = b"\x44"
"""Fills memory whose element type is not known: 785 as a float32, 8e20 as a float64, 1145324612 as an int32."""


def new_memory(shape: Any, dtype: Any, strides: Any, order: Any = "C") -> np.ndarray[Any, Any]:
    """Return an array of zeros, or of what new memory holds at present."""
    if strides is None and not old_value():
        return np.asarray(np.zeros(shape, dtype, order=order))  # the system's own zeros cost nothing
    array: np.ndarray[Any, Any] = np.ndarray(shape, dtype, strides=strides, order=order)
    array[...] = np.full((), old_value()).astype(dtype)
    return array


def bytes_of(value: int, element: Any, size_bytes: int) -> bytes:
    """Return `value` as one element of a Numba type, or other bytes of that length where the type has no such value."""
    try:
        pattern = np.full((), value).astype(as_dtype(element)).tobytes()
    except (TypeError, ValueError, NotImplementedError):
        return unknown_bytes(size_bytes)
    return pattern if len(pattern) == size_bytes else unknown_bytes(size_bytes)


def unknown_bytes(size_bytes: int) -> bytes:
    """Return old values for memory whose element type is not known."""
    return _BYTE * size_bytes


Array = np.ndarray[Any, Any]


def is_contiguous(array: Array) -> bool:
    """Return whether a GPU could copy an array as one region of memory: in C's or in Fortran's order."""
    return bool(array.flags.c_contiguous or array.flags.f_contiguous)


def require_contiguous(array: Array) -> None:
    """Refuse an array that CUDA cannot transfer; leading axes that repeat one part (stride 0) do not matter.

    Raises:
        ValueError: with CUDA's own text.
    """
    core = array
    while core.size and core.ndim and core.strides[0] == 0 and core.shape[0] != 1:
        core = core[0]
    if not is_contiguous(core):
        raise ValueError(
            "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
            "Please ensure contiguous buffer with numpy.ascontiguousarray()"
        )


def numba_type_of(array: Array) -> Any:
    """Return the Numba type of a device array with this memory: never read-only, always aligned."""
    layout = "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"
    return types.Array(numpy_support.from_dtype(array.dtype), array.ndim, layout)


def _expect_positions(key: Any) -> Any:
    """Return an index of numbers and slices; as on a GPU, TypeError for a list, a mask or an array of positions."""
    if isinstance(key, str):
        return key
    parts = key if isinstance(key, tuple) else (key,)
    return tuple(part if part is None or isinstance(part, slice | EllipsisType) else index(part) for part in parts)


def _expect_alike(target: Any, source: Any) -> None:
    """Refuse to copy between two arrays of different element types or shapes, on the host or on the device."""
    if target.dtype != source.dtype:
        raise TypeError(f"incompatible dtype: {target.dtype} vs. {source.dtype}")
    if target.shape != source.shape:
        raise ValueError(f"incompatible shape: {target.shape} vs. {source.shape}")


class DeviceMemory:
    """The memory of a device array; two are equal where they begin at the same address."""

    def __init__(self, memory: Array) -> None:
        self.memory = memory

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceMemory) and other.memory.ctypes.data == self.memory.ctypes.data

    def __hash__(self) -> int:
        return hash(self.memory.ctypes.data)


class DeviceNDArray:
    """An array on the device.

    Host code reads it with `copy_to_host`, as on a GPU: NumPy functions do not see its memory by accident.
    """

    __cuda_memory__ = True
    __cuda_ndarray__ = True
    __array_priority__ = 100

    def __init__(
        self, shape: Any, strides: Any, dtype: Any, stream: Any = 0, gpu_data: DeviceMemory | None = None
    ) -> None:
        """Make an array with CUDA's arguments; `over_memory` makes one over a NumPy array's memory.

        Args:
            shape: one number per axis, or a number.
            strides: bytes per axis.
            dtype: the element type.
            stream: where its copies are queued.
            gpu_data: the memory of another device array that this one shares; new memory without it.
        """
        extents = (shape,) if isinstance(shape, int) else tuple(shape)
        self._memory_view = _view_memory(extents, strides, np.dtype(dtype), gpu_data)
        self.stream = stream
        self.owner: Any = None

    shape = property(lambda self: self._memory_view.shape)
    strides = property(lambda self: self._memory_view.strides)
    dtype = property(lambda self: self._memory_view.dtype)
    ndim = property(lambda self: self._memory_view.ndim)
    size = property(lambda self: self._memory_view.size)
    nbytes = property(lambda self: self._memory_view.nbytes)
    itemsize = property(lambda self: self._memory_view.itemsize)
    alloc_size = property(lambda self: self._memory_view.nbytes)

    @property
    def gpu_data(self) -> DeviceMemory:
        """The memory, for other device arrays to share."""
        return DeviceMemory(self._memory_view)

    @property
    def device_ctypes_pointer(self) -> ctypes.c_void_p:
        """The address of the memory; null for an array without entries."""
        return ctypes.c_void_p(self._memory_view.ctypes.data if self._memory_view.size else 0)

    @property
    def flags(self) -> dict[str, bool]:
        """Whether the memory is in C's or in Fortran's order."""
        flags = self._memory_view.flags
        return {"C_CONTIGUOUS": bool(flags.c_contiguous), "F_CONTIGUOUS": bool(flags.f_contiguous)}

    @property
    def _numba_type_(self) -> Any:
        return numba_type_of(self._memory_view)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        memory = self._memory_view
        return {
            "shape": memory.shape,
            "strides": None if memory.flags.c_contiguous else memory.strides,
            "data": (self.device_ctypes_pointer.value or 0, False),
            "typestr": memory.dtype.str,
            "stream": None,
            "version": 3,
        }

    @property
    def T(self) -> DeviceNDArray:  # noqa: N802  # NumPy's name
        """The transposed array, a new one; see `transpose`."""
        return self.transpose()

    def is_c_contiguous(self) -> bool:
        """Return whether the rows follow each other in memory."""
        return bool(self._memory_view.flags.c_contiguous)

    def is_f_contiguous(self) -> bool:
        """Return whether the columns follow each other in memory."""
        return bool(self._memory_view.flags.f_contiguous)

    def copy_to_host(self, ary: Array | None = None, stream: Any = 0) -> Array:
        """Return a NumPy array with the device's values, in ``ary`` where one is given.

        Raises:
            ValueError: when ``ary`` has another shape.
            TypeError: when ``ary`` has another element type.
            NotImplementedError: for a view that runs backwards, as on a GPU.
        """
        if any(step < 0 for step in self._memory_view.strides):
            raise NotImplementedError(f"D->H copy not implemented for negative strides: {self._memory_view.strides}")
        if ary is None:
            return self._memory_view.copy(order="K")
        _expect_alike(ary, self)
        ary[...] = self._memory_view
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copy a host or device array into this one; it is refused if its shape or its element type is another."""
        source = ary._memory_view if isinstance(ary, DeviceNDArray) else np.asarray(ary)  # noqa: SLF001  # same class
        _expect_alike(self, source)
        if self._memory_view.size:
            self._memory_view[...] = source

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:  # NumPy's protocol
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise ValueError("ctypes objects containing pointers cannot be pickled")  # as on a GPU

    def __len__(self) -> int:
        return len(self._memory_view)

    def __getitem__(self, item: Any) -> Any:
        part = self._memory_view[_expect_positions(item)]
        if isinstance(part, np.ndarray) and part.base is not None:
            return over_memory(part, self.stream)
        return part

    def __setitem__(self, item: Any, value: Any) -> None:
        self._memory_view[_expect_positions(item)] = value._memory_view if isinstance(value, DeviceNDArray) else value  # noqa: SLF001  # same class

    getitem = __getitem__
    setitem = __setitem__

    def reshape(self, *newshape: Any, **kws: Any) -> DeviceNDArray:
        """Return a view of another shape: as on a GPU the same memory in the same order, whatever the old order was.

        Raises:
            NotImplementedError: when the array's layout would need a copy.
        """
        shape = newshape[0] if len(newshape) == 1 and isinstance(newshape[0], tuple | list) else newshape
        if tuple(shape) == self.shape:
            return over_memory(self._memory_view, self.stream)
        if not is_contiguous(self._memory_view):
            raise NotImplementedError("reshape would require copy")
        return over_memory(self._memory_view.ravel("K").reshape(shape, **kws), self.stream)

    def ravel(self, order: Any = "C", stream: Any = 0) -> DeviceNDArray:
        """Return a one-dimensional view; as on a GPU, NotImplementedError where that would need a copy."""
        flat = self._memory_view.ravel(order)
        if self.size and not np.shares_memory(flat, self._memory_view):
            raise NotImplementedError("operation requires copying")
        return over_memory(flat, self.stream)

    def transpose(self, axes: Any = None) -> DeviceNDArray:
        """Return the transposed array: as on a GPU a new one in C's order, not a view.

        Raises:
            NotImplementedError: for arrays that are not two-dimensional, as on a GPU.
            ValueError: when ``axes`` does not name the two axes.
        """
        if axes is not None and tuple(axes) == tuple(range(self.ndim)):
            return self
        if self.ndim != 2:  # noqa: PLR2004  # a matrix
            raise NotImplementedError("transposing a non-2D DeviceNDArray isn't supported")
        if axes is not None and set(axes) != set(range(self.ndim)):
            raise ValueError(f"invalid axes list {axes!r}")
        return over_memory(self._memory_view.T.copy(order="C"), self.stream)

    def squeeze(self, axis: Any = None, stream: Any = 0) -> DeviceNDArray:
        """Return a view without axes of length one."""
        return over_memory(self._memory_view.squeeze(axis), self.stream)

    def view(self, dtype: Any) -> DeviceNDArray:
        """Return a view with another element type."""
        return over_memory(self._memory_view.view(dtype), self.stream)

    def split(self, section: int, stream: Any = 0) -> Any:
        """Yield equal parts of a one-dimensional array."""
        for start in range(0, self.size, section):
            yield over_memory(self._memory_view[start : start + section], self.stream)

    def get_ipc_handle(self) -> NoReturn:
        """Refuse: no other process reaches this memory."""
        raise NotOnCpuError("get_ipc_handle is not available in the CUDA executor for the CPU: copy the array instead")

    def bind(self, stream: Any = 0) -> DeviceNDArray:
        """Return the same memory, bound to a stream."""
        return over_memory(self._memory_view, stream)


def _view_memory(shape: tuple[int, ...], strides: Any, dtype: np.dtype[Any], gpu_data: DeviceMemory | None) -> Array:
    if gpu_data is None:
        return new_memory(shape, dtype, strides)
    source = gpu_data.memory if gpu_data.memory.dtype == dtype else gpu_data.memory.view(dtype)
    return np.lib.stride_tricks.as_strided(source, shape, (strides,) if isinstance(strides, int) else tuple(strides))


def over_memory(memory: Array, stream: Any = 0) -> DeviceNDArray:
    """Return a device array whose memory is that of a NumPy array; `stream` is where its copies are queued."""
    array = DeviceNDArray.__new__(DeviceNDArray)
    array._memory_view = memory  # noqa: SLF001  # the one constructor beside the class's own
    array.stream = stream
    return array


def from_array_like(ary: Any, stream: Any = 0, gpu_data: DeviceMemory | None = None) -> DeviceNDArray:
    """Return a new device array with the shape, strides and type of another array."""
    return DeviceNDArray(ary.shape, ary.strides, ary.dtype, stream, gpu_data)


def is_device_array(obj: Any) -> bool:
    """Return whether an object is an array on the device."""
    return isinstance(obj, DeviceNDArray)


def memory_of(array: DeviceNDArray) -> Array:
    """Return the memory of a device array, for kernels and copies only."""
    return array._memory_view  # noqa: SLF001  # the one accessor
