"""Which release of CUDA the NVIDIA driver of this machine runs, and what to install for it.

A file of the standard library only: `make setup` runs it before anything is installed, as
`python grader/sandbox/gpudriver.py EXTRA...`.
"""

from __future__ import annotations

import ctypes
import sys

_RELEASES = ((13000, "gpu13", "580"), (12000, "gpu12", "525"))
"""The oldest driver of a release by CUDA's number, the extra of pyproject.toml for it, and NVIDIA's number."""


def driver_version() -> int:
    """Return the CUDA release that the driver knows, as 12020 for 12.2; 0 if there is no driver that can be loaded."""
    version = ctypes.c_int(0)
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError):
        return 0
    return version.value


def choose_extra(version: int) -> str:
    """Return the extra that suits a driver; empty if there is none, or none for one as old."""
    return next((extra for oldest, extra, _ in _RELEASES if version >= oldest), "")


def describe(version: int) -> str:
    """Return one sentence on a driver and what is installed for it."""
    if not version:
        return "no NVIDIA driver: kernels will run on the CPU"
    shown = f"the NVIDIA driver runs CUDA {version // 1000}.{version % 1000 // 10}"
    extra = choose_extra(version)
    if not extra:
        return f"{shown}, which is too old: update it to {_RELEASES[-1][2]} or newer"
    return f"{shown}: extra {extra}, numba-cuda with NVIDIA's wheels"


def main() -> None:
    """Print what pip has to install, such as `.[staff,gpu12]`, and say on stderr why."""
    version = driver_version()
    extras = ",".join(filter(None, (*sys.argv[1:], choose_extra(version))))
    sys.stderr.write(f"{describe(version)}\n")
    sys.stdout.write(f".[{extras}]" if extras else ".")


if __name__ == "__main__":
    main()
