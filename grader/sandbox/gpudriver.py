"""Finds the release of CUDA that this machine's NVIDIA driver supports, and the extra to install for it.

This file uses the standard library only: `make setup` runs it before anything is installed, as
`python grader/sandbox/gpudriver.py EXTRA...`.
"""

import ctypes
import sys
from typing import NamedTuple

_RELEASES = ((13000, (7, 5), "gpu13", "580"), (12000, (0, 0), "gpu12", "525"))
"""For each release: CUDA's number of the oldest driver, the oldest compute capability for which it compiles, the extra
in pyproject.toml, and NVIDIA's number of the driver."""
FOR_OLD_CARDS = _RELEASES[-1][2]
_MAJOR, _MINOR = 75, 76  # attributes of a device for its compute capability: CUDA Driver API, `CUdevice_attribute`


class Driver(NamedTuple):
    """NVIDIA's driver and the GPUs that this process may use."""

    version: int = 0  # the release of CUDA that it supports, such as 12020 for 12.2; 0 if no driver can be loaded
    capability: tuple[int, int] | None = None  # the lowest compute capability of the GPUs; None if no GPU may be used

    @property
    def extra(self) -> str:
        """The extra for this driver and these GPUs; empty if there is no driver, or it is too old."""
        for oldest, capability, extra, _ in _RELEASES:
            if self.version >= oldest and (self.capability is None or self.capability >= capability):
                return extra
        return ""

    def __str__(self) -> str:
        """Return one sentence about the driver and the extra for it."""
        if not self.version:
            return "no NVIDIA driver: kernels will run on the CPU"
        shown = f"the NVIDIA driver runs CUDA {self.version // 1000}.{self.version % 1000 // 10}"
        if not self.extra:
            return f"{shown}, which is too old: update it to {_RELEASES[-1][-1]} or newer"
        if self.capability is not None and self.capability < _RELEASES[0][1] and self.version >= _RELEASES[0][0]:
            shown += ", which compiles nothing for a card of compute capability {}.{}".format(*self.capability)
        return f"{shown}: extra {self.extra}, numba-cuda with NVIDIA's wheels"


def find_driver() -> Driver:
    """Return this machine's driver; no program is started on its GPUs."""
    version = ctypes.c_int(0)
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
        cuda.cuDriverGetVersion(ctypes.byref(version))
        return Driver(version.value, min(_find_capabilities(cuda), default=None))
    except (OSError, AttributeError):
        return Driver()


def _find_capabilities(cuda: ctypes.CDLL) -> list[tuple[int, int]]:
    count, major, minor = ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    if cuda.cuInit(0) == 0:
        cuda.cuDeviceGetCount(ctypes.byref(count))
    capabilities = []
    for device in range(count.value):
        cuda.cuDeviceGetAttribute(ctypes.byref(major), _MAJOR, device)
        cuda.cuDeviceGetAttribute(ctypes.byref(minor), _MINOR, device)
        capabilities.append((major.value, minor.value))
    return capabilities


def main() -> None:
    """Print the argument for pip, such as `.[staff,gpu12]`, and write the reason to stderr."""
    driver = find_driver()
    extras = ",".join(filter(None, (*sys.argv[1:], driver.extra)))
    sys.stderr.write(f"{driver}\n")
    sys.stdout.write(f".[{extras}]" if extras else ".")


if __name__ == "__main__":
    main()
