"""Inside the worker: wait for the GPU, so that nothing of a call goes on after it is said to have returned."""

from __future__ import annotations

import sys
from typing import Any


def synchronise(device: str) -> None:
    """Wait until the GPU has done all that this process asked of it; return at once where it asked for nothing.

    Nothing is imported, no driver is started and no context is made: what was never used has nothing to finish.

    Args:
        device: What runs kernels here; anything but `gpu` has nothing to wait for.

    Raises:
        CudaAPIError: Numba's, for a kernel that failed meanwhile, as by an illegal address: it is the student's.
    """
    cuda = sys.modules.get("numba.cuda")
    if device != "gpu" or cuda is None:
        return
    for number in _devices_in_use():
        with cuda.gpus[number]:  # a context of another thread, or of a second GPU, counts as well
            cuda.synchronize()


def _devices_in_use() -> list[int]:
    """Return the numbers of the GPUs on which Numba holds a context, as its driver noted them."""
    module: Any = sys.modules.get("numba.cuda.cudadrv.driver")
    known: dict[int, Any] = getattr(getattr(module, "driver", None), "devices", {})
    return [number for number, device in list(known.items()) if device.primary_context is not None]
