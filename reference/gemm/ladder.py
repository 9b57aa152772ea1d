"""Two rungs between gemm.py's step 3 and its top one, for float32 only. A lecture in code.

`make ladder ASSIGNMENT=gemm` compares every rung with the lowest, counts its loads, asks the assembler for its
registers, and times it if there is a GPU; docs/kernels.md has the table and the arithmetic.
"""

from gemm import (
    EACH,
    PADDED,
    PARTS,
    REGISTERS,
    SIDE,
    SLICE,
    SUMS,
    TILE,
    WIDE,
    blocked_kernel,
    clear,
    combine,
    naive_kernel,
    paired_kernel,
    tiled_kernel,
)
from numba import cuda, float32, uint32


@cuda.jit(device=True)
def read_slice(A, B, top, side, start, held):
    """Read a thread's part of the next slice from global memory into registers: 4 numbers of A, 4 of B.

    Eight neighbouring threads read eight neighbours of a row of A, and 128 threads a row of B.
    """
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)  # unsigned: no index is negative
    for part in range(PARTS):  # shapes are made unsigned, too: Numba compares signed and unsigned by way of float64
        number = thread + uint32(TILE * TILE * part)
        i, p = uint32(top) + number // uint32(SLICE), uint32(start) + number % uint32(SLICE)
        held[0, part] = A[i, p] if i < uint32(A.shape[0]) and p < uint32(A.shape[1]) else float32(0)
        p, j = uint32(start) + number // uint32(SIDE), uint32(side) + number % uint32(SIDE)
        held[1, part] = B[p, j] if p < uint32(B.shape[0]) and j < uint32(B.shape[1]) else float32(0)


@cuda.jit(device=True)
def keep_slice(held, left, right):
    """Write the numbers of `read_slice` into the shared memory, those of A transposed."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)  # unsigned: no index is negative
    for part in range(PARTS):
        number = thread + uint32(TILE * TILE * part)
        left[number % uint32(SLICE), number // uint32(SLICE)] = held[0, part]
        right[number // uint32(SIDE), number % uint32(SIDE)] = held[1, part]


@cuda.jit(device=True)
def add_slice(left, right, factors, sums):
    """Add the products of a slice to a thread's 8 x 8 sums: 16 reads for 64 multiply-adds, a quarter for each."""
    x, y = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
    for p in range(SLICE):
        for a in range(SUMS):
            factors[a] = left[p, y + uint32(TILE * a)]
        for b in range(SUMS):
            factor = right[p, x + uint32(TILE * b)]
            for a in range(SUMS):
                sums[a, b] += factors[a] * factor


@cuda.jit(device=True)
def write_sums(alpha, beta, C, top, side, sums):
    """Write a thread's sums to C."""
    for a in range(SUMS):
        for b in range(SUMS):
            i, j = uint32(top + cuda.threadIdx.y + TILE * a), uint32(side + cuda.threadIdx.x + TILE * b)
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)


@cuda.jit(max_registers=REGISTERS)
def wide_kernel(alpha, A, B, beta, C):
    """Rung 4: tiles of 128 x 128 entries, 8 x 8 sums per thread.

    A multiply-add reads 1/128 + 1/128 numbers from global memory and 1/8 + 1/8 from shared memory: a warp's 32 take a
    quarter of a pass. 128 lanes of a multiprocessor do them in a quarter of a clock: shared memory and arithmetic bind
    alike. 64 sums, 8 factors and 8 numbers on the way take 80 registers; what is left of 128 holds indices.
    """
    left = cuda.shared.array((SLICE, PADDED), float32)
    right = cuda.shared.array((SLICE, SIDE), float32)
    sums = cuda.local.array((SUMS, SUMS), float32)
    factors = cuda.local.array(SUMS, float32)
    held = cuda.local.array((2, PARTS), float32)
    top, side = cuda.blockIdx.y * SIDE, cuda.blockIdx.x * SIDE
    clear(sums)
    for start in range(0, A.shape[1], SLICE):
        read_slice(A, B, top, side, start, held)
        keep_slice(held, left, right)
        cuda.syncthreads()
        add_slice(left, right, factors, sums)
        cuda.syncthreads()
    write_sums(alpha, beta, C, top, side, sums)


@cuda.jit(max_registers=REGISTERS)
def buffered_kernel(alpha, A, B, beta, C):
    """Rung 5: two buffers. While one slice is multiplied, the next one is on its way from global memory.

    The loads begin before the products of the present slice. After these products, the loaded numbers are written into
    the other buffer. So no thread waits for global memory as long as 8 · 64 multiply-adds take longer than a load. One
    barrier for each slice is enough, because no thread reads the buffer that is written.
    """
    left = cuda.shared.array((2, SLICE, PADDED), float32)
    right = cuda.shared.array((2, SLICE, SIDE), float32)
    sums = cuda.local.array((SUMS, SUMS), float32)
    factors = cuda.local.array(SUMS, float32)
    held = cuda.local.array((2, PARTS), float32)
    top, side = cuda.blockIdx.y * SIDE, cuda.blockIdx.x * SIDE
    clear(sums)
    read_slice(A, B, top, side, 0, held)
    keep_slice(held, left[0], right[0])
    cuda.syncthreads()
    at = 0
    for start in range(0, A.shape[1], SLICE):
        read_slice(A, B, top, side, start + SLICE, held)  # beyond the end: zeros
        add_slice(left[at], right[at], factors, sums)
        keep_slice(held, left[1 - at], right[1 - at])
        cuda.syncthreads()
        at = 1 - at
    write_sums(alpha, beta, C, top, side, sums)


RUNGS = (
    (naive_kernel, TILE, 1, 1),
    (tiled_kernel, TILE, 1, 1),
    (blocked_kernel, WIDE, EACH, 1),
    (wide_kernel, SIDE, SUMS, 1),
    (buffered_kernel, SIDE, SUMS, 1),
    (paired_kernel, SIDE, SUMS, 2),
)
"""Kernel, entries along each side of a block's tile, sums of a thread along each side, and numbers that a load brings;
16 x 16 threads each."""
