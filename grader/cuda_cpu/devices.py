"""The device: this machine's processor, with the limits of a GPU."""

from __future__ import annotations

import platform
from typing import Final, NamedTuple, Self

from grader.cuda_cpu.geometry import MAX_BLOCK, MAX_GRID, MAX_SHARED_BYTES, MAX_THREADS, WARP_SIZE

COMPUTE_CAPABILITY: Final = (9, 0)
# The limits of a GPU of this compute capability, so that launch geometry derived from them is what it would be there.
MULTIPROCESSORS: Final = 132
THREADS_PER_MULTIPROCESSOR: Final = 2048


class _Scope:
    """What is entered and left without effect: there is one device with one context, and no state to forget."""

    def reset(self) -> None:
        """Change nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None


class Device(_Scope):
    """The device, with the attributes that kernels' host code asks for."""

    id = 0
    compute_capability = COMPUTE_CAPABILITY
    MAX_THREADS_PER_BLOCK = MAX_THREADS
    MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y, MAX_BLOCK_DIM_Z = MAX_BLOCK
    MAX_GRID_DIM_X, MAX_GRID_DIM_Y, MAX_GRID_DIM_Z = MAX_GRID
    MAX_SHARED_MEMORY_PER_BLOCK = MAX_SHARED_BYTES
    WARP_SIZE = WARP_SIZE
    MULTIPROCESSOR_COUNT = MULTIPROCESSORS
    MAX_THREADS_PER_MULTIPROCESSOR = THREADS_PER_MULTIPROCESSOR
    ASYNC_ENGINE_COUNT = 1
    COOPERATIVE_LAUNCH = 1
    supports_float16 = True
    uuid = "GPU-00000000-0000-0000-0000-000000000000"

    @property
    def name(self) -> bytes:
        """The device's name, as bytes like the driver's."""
        return f"CPU {platform.machine()} (CUDA executor)".encode()

    def get_primary_context(self) -> Context:
        """Return the context."""
        return context

    def __repr__(self) -> str:
        return "<CUDA device 0 'CPU'>"


class MemoryInfo(NamedTuple):
    """Bytes of memory."""

    free: int
    total: int


class Context(_Scope):
    """The context of the device."""

    id = 0

    @property
    def device(self) -> Device:
        """The device."""
        return device

    def get_memory_info(self) -> MemoryInfo:
        """Return (free, total) bytes of this machine's memory.

        Raises:
            NotImplementedError: where the operating system does not tell.
        """
        import os

        if not hasattr(os, "sysconf"):
            msg = "this system does not tell how much memory there is: leave out get_memory_info"
            raise NotImplementedError(msg)
        page = os.sysconf("SC_PAGE_SIZE")
        return MemoryInfo(page * os.sysconf("SC_AVPHYS_PAGES"), page * os.sysconf("SC_PHYS_PAGES"))

    push = pop = synchronize = _Scope.reset


class DeviceList(tuple[Device, ...]):
    """What ``cuda.gpus`` is: a list with one device."""

    __slots__ = ()

    @property
    def lst(self) -> list[Device]:
        """The devices as a list."""
        return list(self)

    @property
    def current(self) -> Device:
        """The device."""
        return self[0]

    def __repr__(self) -> str:
        return "<Managed Device 0>"


device: Final = Device()
context: Final = Context()
gpus: Final = DeviceList([device])


def get_current_device() -> Device:
    """Return the device."""
    return device


def current_context(devnum: int | None = None) -> Context:
    """Return the context."""
    return context


def list_devices() -> DeviceList:
    """Return the list with the one device."""
    return gpus


def select_device(device_id: int) -> Context:
    """Return the context of device 0.

    Raises:
        IndexError: for any other number.
    """
    if device_id != 0:
        msg = f"there is no device {device_id}: this executor is device 0"
        raise IndexError(msg)
    return context


def close() -> None:
    """Change nothing: there is no state to forget."""


def detect() -> bool:
    """Print the device; return True."""
    import sys

    sys.stdout.write(f"Found 1 CUDA devices\nid 0    {device.name!r}    [CPU]\n")
    return True
