"""What host code asks of CUDA: memory, copies, streams, events, devices."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from grader.cuda_cpu.devicearray import DeviceNDArray, memory_of, new_memory, over_memory, require_contiguous
from grader.cuda_cpu.launches import old_value


def device_array(shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C", stream: Any = 0) -> Any:
    """Return a new device array; a GPU leaves old values in it, here it holds zeros.

    Args:
        shape: elements per axis, a number or a tuple.
        dtype: of the elements.
        strides: bytes per axis; those of `order` without them.
        order: ``C`` (rows follow each other) or ``F`` (columns).
        stream: where copies of the array are queued.
    """
    return over_memory(new_memory(shape, dtype, strides, order), stream)


def _like(ary: Any) -> np.ndarray[Any, Any]:
    """Return new memory with the shape, type and order of a host or device array."""
    model = memory_of(ary) if isinstance(ary, DeviceNDArray) else np.asarray(ary)
    return np.full_like(model, old_value()) if old_value() else np.zeros_like(model)


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """Return a new device array with the shape, type and order of ``ary``; see `device_array`."""
    return over_memory(_like(ary), stream)


def pinned_array(
    shape: Any, dtype: Any = np.float64, strides: Any = None, order: str = "C", stream: Any = 0, **flags: bool
) -> Any:
    """Return a host array that kernels use without copies; here, that holds for every host array."""
    return new_memory(shape, dtype, strides, order)


def pinned_array_like(ary: Any, stream: Any = 0, **flags: bool) -> Any:
    """Return a host array with the shape, type and order of ``ary``; see `pinned_array`."""
    return _like(ary)


mapped_array = managed_array = pinned_array
mapped_array_like = pinned_array_like


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: DeviceNDArray | None = None) -> DeviceNDArray:
    """Return a device array with the values of a host array, in ``to`` where one is given.

    Raises:
        ValueError: when the host array is not contiguous, as on a GPU.
    """
    if to is not None:
        to.copy_to_device(obj, stream)
        return to
    if isinstance(obj, DeviceNDArray):
        return obj
    host = np.asarray(obj)
    require_contiguous(host)
    return over_memory(host.copy(order="K") if copy else _like(host), stream)


def auto_device(obj: Any, stream: Any = 0, copy: bool = True) -> tuple[DeviceNDArray, bool]:
    """Return (device array, whether it is new) for an array or a number."""
    return to_device(obj, stream, copy), not isinstance(obj, DeviceNDArray)


def is_cuda_array(obj: Any) -> bool:
    """Return whether an object says where its device memory is."""
    return hasattr(obj, "__cuda_array_interface__")


def from_cuda_array_interface(desc: dict[str, Any], owner: Any = None, sync: bool = True) -> DeviceNDArray:
    """Return a device array over memory that another library describes; masked arrays are refused."""
    if desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    described = {name: desc.get(name) for name in ("shape", "strides", "typestr", "data")} | {"version": 3}
    holder = SimpleNamespace(__array_interface__=described)  # what NumPy makes a view of
    array = over_memory(np.asarray(holder), desc.get("stream") or 0)
    array.owner = owner
    return array


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """Return a device array over the memory of an object that describes it; TypeError for any other object."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if not is_cuda_array(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(obj.__cuda_array_interface__, owner=obj, sync=sync)


class Stream:
    """A queue of work; here all work is done when the call returns."""

    handle = 0

    def synchronize(self) -> None:
        """Return at once: nothing is outstanding."""

    @contextmanager
    def auto_synchronize(self) -> Iterator[Stream]:
        """Return a context manager that synchronises at its end."""
        yield self

    def add_callback(self, callback: Any, arg: Any = None) -> None:
        """Call ``callback(stream, status, arg)``: the work before it is done."""
        callback(self, 0, arg)

    def __int__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False


class Event:
    """A point in time on a stream."""

    def __init__(self, timing: bool = True) -> None:
        self.timing = timing
        self._time_s = 0.0

    def record(self, stream: Any = 0) -> None:
        """Record the time."""
        self._time_s = time.perf_counter()

    def synchronize(self, stream: Any = 0) -> None:
        """Return at once: the work before the event is done."""

    wait = synchronize

    def query(self) -> bool:
        """Return True: the work before the event is done."""
        return True

    def elapsed_time(self, evtend: Event) -> float:
        """Return the milliseconds from this event to another."""
        return (evtend._time_s - self._time_s) * 1e3  # same class


def stream(ptr: int = 0) -> Stream:
    """Return a stream; it also stands for a default stream and for another library's, whose work is not awaited."""
    return Stream()


default_stream = legacy_default_stream = per_thread_default_stream = external_stream = stream


def event(timing: bool = True) -> Event:
    """Return a new event."""
    return Event(timing)


def event_elapsed_time(evtstart: Event, evtend: Event) -> float:
    """Return the milliseconds between two events."""
    return evtstart.elapsed_time(evtend)


def is_available() -> bool:
    """Return True: this device is always there, computes in half precision, and has no driver that could be too old."""
    return True


is_supported_version = is_float16_supported = is_available


def synchronize() -> None:
    """Return at once: a launch is finished when it returns, no driver has failed, and there is no profiler."""


cuda_error = profile_start = profile_stop = synchronize


@contextmanager
def mapped(*arrays: Any, **kws: Any) -> Iterator[Any]:
    """Return a context manager that gives the arrays as device arrays over the same memory."""
    views = [over_memory(array) for array in arrays]
    yield views[0] if len(views) == 1 else views


@contextmanager
def pinned(*arrays: Any) -> Iterator[None]:
    """Return a context manager that changes nothing: arrays count as pinned, nothing is profiled or cleaned up late."""
    yield


profiling = defer_cleanup = pinned


def require_context(func: Any) -> Any:
    """Return the function: there is always a context."""
    return func
