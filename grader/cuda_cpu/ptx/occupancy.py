"""How many threads of a kernel a GPU's multiprocessor holds at once.

Source of the limits: "Technical specifications per compute capability" in NVIDIA's CUDA C++ Programming Guide. Source
of the rounding rules: NVIDIA's occupancy calculator (registers are given to warps in units of 256, shared memory in
units of 128 bytes; from compute capability 8.0 on the system keeps 1 KiB of shared memory per block).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WARP: Final = 32
REGISTER_UNIT: Final = 256
SHARED_UNIT: Final = 128
REGISTERS: Final = 65536


@dataclass(frozen=True)
class GpuModel:
    """A kind of GPU: its name, compute capability and the limits of one multiprocessor."""

    name: str
    compute_capability: tuple[int, int]
    threads: int
    blocks: int
    shared_bytes: int

    @property
    def architecture(self) -> str:
        """The assembler's name for it, such as ``sm_90``."""
        return f"sm_{self.compute_capability[0]}{self.compute_capability[1]}"

    @property
    def reserved_shared_bytes(self) -> int:
        """Shared memory that the system keeps per block."""
        return 1024 if self.compute_capability >= (8, 0) else 0


MODELS: Final = (
    GpuModel("T4, RTX 20", (7, 5), threads=1024, blocks=16, shared_bytes=64 * 1024),
    GpuModel("A100", (8, 0), threads=2048, blocks=32, shared_bytes=164 * 1024),
    GpuModel("RTX 30, A40", (8, 6), threads=1536, blocks=16, shared_bytes=100 * 1024),
    GpuModel("L4, RTX 40", (8, 9), threads=1536, blocks=24, shared_bytes=100 * 1024),
    GpuModel("H100, H200", (9, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("B200", (10, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("RTX 50", (12, 0), threads=1536, blocks=24, shared_bytes=100 * 1024),
)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def count_resident_blocks(model: GpuModel, threads: int, registers: int, shared_bytes: int) -> tuple[int, str]:
    """Return how many blocks one multiprocessor holds at once, and what limits them.

    Args:
        model: the GPU.
        threads: threads of a block.
        registers: registers of a thread.
        shared_bytes: shared memory of a block.
    """
    warps = -(-threads // WARP)
    warp_registers = _round_up(max(registers, 1) * WARP, REGISTER_UNIT)
    block_shared = _round_up(shared_bytes + model.reserved_shared_bytes, SHARED_UNIT)
    limits = {
        "threads": model.threads // (warps * WARP),
        "registers": REGISTERS // warp_registers // warps,
        "blocks": model.blocks,
    }
    if block_shared:
        limits["shared memory"] = model.shared_bytes // block_shared
    limit = min(limits, key=lambda name: limits[name])
    return limits[limit], limit


def compute_occupancy(model: GpuModel, threads: int, registers: int, shared_bytes: int) -> tuple[float, str]:
    """Return the part of a multiprocessor's threads that is in use (0 to 1), and what limits it."""
    blocks, limit = count_resident_blocks(model, threads, registers, shared_bytes)
    return min(1.0, blocks * _round_up(threads, WARP) / model.threads), limit
