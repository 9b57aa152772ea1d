"""What NVML tells about one GPU. What a driver, a container or a virtual GPU does not tell is unknown, not an error.

NVML is NVIDIA's management library; its Python binding is nvidia-ml-py (`import pynvml`).
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pynvml

SLOWDOWNS = {
    "HwSlowdown": "the hardware slowed its clocks down",
    "HwThermalSlowdown": "it is too hot (hardware)",
    "HwPowerBrakeSlowdown": "its power supply asked for less",
    "SwThermalSlowdown": "it is too hot (driver)",
}
"""Reasons for low clocks that make a measurement worthless, by NVML's names. An idle GPU's low clocks, clocks that were
set on purpose and the power limit of a card under load are its usual state."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU at one moment; `None` is unknown."""

    uuid: str
    name: str = ""
    sm_clock_mhz: int | None = None
    max_sm_clock_mhz: int | None = None
    memory_clock_mhz: int | None = None
    temperature_c: int | None = None
    utilisation_percent: int | None = None  # the share of the last moments in which a kernel ran, of any process
    slowdowns: tuple[str, ...] | None = None  # names of `SLOWDOWNS` that are in force
    uncorrected_errors: int | None = None  # ECC errors since the driver was loaded that could not be repaired
    mig: bool | None = None  # whether the GPU is cut into instances
    pids: tuple[int, ...] | None = None  # processes with a compute context; in a container, perhaps the host's numbers
    last_active_us: Mapping[int, int] | None = None
    """Process -> when NVML last saw it use the multiprocessors, by NVML's clock."""
    sampled_us: int = 0  # NVML's newest sample of any process; 0 for none

    def was_used_by(self, pid: int, since_us: int) -> bool | None:
        """Whether `pid` used the multiprocessors after `since_us`, by NVML's clock; `None` is unknown."""
        return None if self.last_active_us is None else self.last_active_us.get(pid, 0) > since_us


def observe_gpu(nvml: Any = pynvml, environment: Mapping[str, str] = os.environ) -> Gpu | str:
    """Return the GPU that workers use, the first of CUDA_VISIBLE_DEVICES, or a sentence why it is unknown."""
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        return f"no NVML: {error}"
    try:
        return _describe(nvml, _find(nvml, environment.get("CUDA_VISIBLE_DEVICES", "").split(",")[0].strip()))
    except nvml.NVMLError as error:
        return f"NVML does not tell about the GPU: {error}"
    finally:
        _ask(nvml, nvml.nvmlShutdown)


def name_gpu() -> str:
    """Return the name for a lock of the workers' GPU: the card's UUID, or else the value of CUDA_VISIBLE_DEVICES."""
    gpu = observe_gpu()
    return gpu.uuid if isinstance(gpu, Gpu) else os.environ.get("CUDA_VISIBLE_DEVICES", "") or "unnamed"


def _find(nvml: Any, wanted: str) -> Any:
    """Return the handle of the GPU called `wanted`: a number, the beginning of a UUID, or nothing for the first."""
    if wanted.startswith("MIG-"):
        return nvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvml.nvmlDeviceGetHandleByUUID(wanted))
    if wanted.startswith("GPU-"):
        handle = _ask(nvml, nvml.nvmlDeviceGetHandleByUUID, wanted)
        return _find_by_beginning(nvml, wanted) if handle is None else handle
    return nvml.nvmlDeviceGetHandleByIndex(int(wanted) if wanted.isdecimal() else 0)


def _find_by_beginning(nvml: Any, wanted: str) -> Any:
    """Return the handle of the GPU whose UUID begins like that; cards of other users' jobs cannot be asked."""
    for index in range(nvml.nvmlDeviceGetCount()):
        handle = _ask(nvml, nvml.nvmlDeviceGetHandleByIndex, index)
        uuid = None if handle is None else _ask(nvml, nvml.nvmlDeviceGetUUID, handle)
        if uuid is not None and uuid.startswith(wanted):
            return handle
    return nvml.nvmlDeviceGetHandleByUUID(wanted)  # raises, and says why


def _describe(nvml: Any, handle: Any) -> Gpu:
    last_active_us, sampled_us = _activity(nvml, handle)
    errors = (nvml.NVML_MEMORY_ERROR_TYPE_UNCORRECTED, nvml.NVML_VOLATILE_ECC)
    modes = _ask(nvml, nvml.nvmlDeviceGetMigMode, handle)
    processes = _ask(nvml, nvml.nvmlDeviceGetComputeRunningProcesses, handle)
    return Gpu(
        uuid=nvml.nvmlDeviceGetUUID(handle),
        name=_ask(nvml, nvml.nvmlDeviceGetName, handle) or "",
        sm_clock_mhz=_ask(nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_SM),
        max_sm_clock_mhz=_ask(nvml, nvml.nvmlDeviceGetMaxClockInfo, handle, nvml.NVML_CLOCK_SM),
        memory_clock_mhz=_ask(nvml, nvml.nvmlDeviceGetClockInfo, handle, nvml.NVML_CLOCK_MEM),
        temperature_c=_ask(nvml, nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU),
        utilisation_percent=getattr(_ask(nvml, nvml.nvmlDeviceGetUtilizationRates, handle), "gpu", None),
        slowdowns=_slowdowns(nvml, handle),
        uncorrected_errors=_ask(nvml, nvml.nvmlDeviceGetTotalEccErrors, handle, *errors),
        mig=None if modes is None else bool(modes[0]),
        pids=None if processes is None else tuple(sorted(process.pid for process in processes)),
        last_active_us=last_active_us,
        sampled_us=sampled_us,
    )


def _ask(nvml: Any, question: Callable[..., Any], *arguments: Any) -> Any:
    """Return NVML's answer; `None` if this driver, card or container gives none."""
    try:
        return question(*arguments)
    except nvml.NVMLError:
        return None


def _slowdowns(nvml: Any, handle: Any) -> tuple[str, ...] | None:
    """Return which of `SLOWDOWNS` are in force. NVML calls them throttle reasons, since release 535 event reasons."""
    bits = _ask(nvml, nvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle)
    if bits is None:
        return None
    return tuple(name for name in SLOWDOWNS if bits & getattr(nvml, f"nvmlClocksThrottleReason{name}"))


def _activity(nvml: Any, handle: Any) -> tuple[dict[int, int] | None, int]:
    """Return process -> newest sample in which it used the multiprocessors, and the newest sample of all."""
    try:
        samples = nvml.nvmlDeviceGetProcessUtilization(handle, 0)
    except nvml.NVMLError_NotFound:  # supported, and no process was active
        samples = []
    except nvml.NVMLError:
        return None, 0
    active: dict[int, int] = {}
    for sample in samples:
        if sample.smUtil:
            active[sample.pid] = max(active.get(sample.pid, 0), sample.timeStamp)
    return active, max((sample.timeStamp for sample in samples), default=0)
