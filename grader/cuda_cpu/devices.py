"""The device: this machine's processor with the limits of a GPU; and, for names it lacks, what to do instead."""

from __future__ import annotations

import functools
import importlib
import platform
from typing import Any, Final, NamedTuple, NoReturn, Self

import numba

from grader.cuda_cpu.launches import MAX_BLOCK, MAX_GRID, MAX_SHARED_BYTES, MAX_THREADS, WARP_SIZE
from grader.cuda_cpu.numba_internals import types

_UFUNCS: Final = ("vectorize", "guvectorize")
_LAZY: Final = {"Reduce": "kernels.reduction", "reduce": "kernels.reduction"}
_PTX: Final = ("compile", "compile_all", "compile_for_current_device", "compile_ptx", "compile_ptx_for_current_device")
_MANAGERS: Final = ("set_memory_manager", "BaseCUDAMemoryManager", "HostOnlyCUDAMemoryManager", "GetIpcHandleMixin")
_MEMORY: Final = ("MemoryPointer", "MappedMemory", "PinnedMemory", "MemoryInfo")
_LINKING: Final = "it links CUDA C++; write the function in Python with @cuda.jit(device=True)"
_REFUSED: Final = {
    **dict.fromkeys(_PTX, "it compiles for a GPU; install numba-cuda and call it without this executor"),
    **dict.fromkeys(("declare_device", "CUSource"), _LINKING),
    **dict.fromkeys(("open_ipc_array", "IpcHandle"), "memory of another process; copy the array instead"),
    **dict.fromkeys((*_MANAGERS, *_MEMORY, "nvvm"), "it needs a GPU's driver; leave it out on the CPU"),
    "libdevice": "the GPU's own mathematics library; use the functions of the math module",
}


class CudaSupportError(RuntimeError):
    """Something that only a real GPU with its driver can do."""


class NotOnCpuError(NotImplementedError, AttributeError):
    """A name of ``numba.cuda``, or of a device or context, that this executor does not have."""


def refuse(name: str) -> Any:
    """Return a lazily loaded part of ``numba.cuda``, or say what is missing and what to do instead.

    Raises:
        NotOnCpuError: for parts of CUDA that this executor does not have.
        AttributeError: for names that CUDA does not have either.
    """
    if name in types.__all__:  # numba-cuda has the names of types, such as float32, in its module
        return getattr(types, name)
    if name in _UFUNCS:
        return functools.partial(getattr(numba, name), target="cuda")
    if name in _LAZY:
        return importlib.import_module(f"numba.cuda.{_LAZY[name]}").Reduce
    if name in _REFUSED:
        raise NotOnCpuError(f"cuda.{name} is not available in the CUDA executor for the CPU: {_REFUSED[name]}")
    raise AttributeError(f"module 'numba.cuda' has no attribute {name!r}")


COMPUTE_CAPABILITY: Final = (9, 0)
# The limits of a GPU of this compute capability: code that computes grid and block from them gets the same as there.
MULTIPROCESSORS: Final = 132
THREADS_PER_MULTIPROCESSOR: Final = 2048
RUNTIME_VERSION: Final = (12, 9)
_DRIVERS_NAMES: Final = """
    can_access_peer create_event create_external_stream create_module_image create_module_ptx create_stream
    enable_peer_access get_active_blocks_per_multiprocessor get_default_stream get_device_identity get_ipc_handle
    get_legacy_default_stream get_max_potential_block_size get_per_thread_default_stream memalloc memallocmanaged
    memhostalloc mempin modules open_ipc_handle release_primary_context unload_module
"""
"""Names of Numba's devices and contexts that this executor does not have."""


class _Scope:
    """A device or a context. Entering or leaving it has no effect: there is one of each, without state to reset."""

    def reset(self) -> None:
        """Change nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __getattr__(self, name: str) -> NoReturn:
        if name in _DRIVERS_NAMES.split() or name.isupper():
            raise NotOnCpuError(f"{name} is not available in the CUDA executor for the CPU: only a GPU's driver has it")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


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
    MAX_THREADS_PER_MULTI_PROCESSOR = THREADS_PER_MULTIPROCESSOR
    MAX_REGISTERS_PER_BLOCK = MAX_REGISTERS_PER_MULTIPROCESSOR = 1 << 16
    MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 228 << 10
    MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 227 << 10
    TOTAL_CONSTANT_MEMORY = 64 << 10
    L2_CACHE_SIZE = 50 << 20
    CLOCK_RATE, MEMORY_CLOCK_RATE, GLOBAL_MEMORY_BUS_WIDTH = 1_980_000, 2_619_000, 5120
    COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = COMPUTE_CAPABILITY
    ASYNC_ENGINE_COUNT = CONCURRENT_KERNELS = CAN_MAP_HOST_MEMORY = UNIFIED_ADDRESSING = MANAGED_MEMORY = 1
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


class Deallocations:
    """The memory that is still to be freed: none, as Python frees it at once."""

    is_disabled = False

    def clear(self) -> None:
        """Change nothing."""

    def __len__(self) -> int:
        return 0


class Context(_Scope):
    """The context of the device."""

    id = 0
    deallocations = Deallocations()

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
            raise NotImplementedError("this system does not tell how much memory there is: leave out get_memory_info")
        page = os.sysconf("SC_PAGE_SIZE")
        return MemoryInfo(page * os.sysconf("SC_AVPHYS_PAGES"), page * os.sysconf("SC_PHYS_PAGES"))

    push = pop = synchronize = _Scope.reset


class Runtime:
    """The object ``cuda.runtime``: it tells a version, because programs print it."""

    def get_version(self) -> tuple[int, int]:
        """Return the version of the CUDA runtime that knows a GPU with these limits."""
        return RUNTIME_VERSION

    def is_supported_version(self) -> bool:
        """Return True."""
        return True


class DeviceList(tuple[Device, ...]):
    """The object ``cuda.gpus``: a list with one device."""

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
runtime: Final = Runtime()


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
    """Return the context of device 0; IndexError for any other number."""
    if device_id != 0:
        raise IndexError(f"there is no device {device_id}: this executor is device 0")
    return context


def close() -> None:
    """Change nothing: there is no state to forget."""


def detect() -> bool:
    """Print the device; return True."""
    import sys

    sys.stdout.write(f"Found 1 CUDA devices\nid 0    {device.name!r}    [CPU]\n")
    return True
