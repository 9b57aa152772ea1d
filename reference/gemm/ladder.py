"""Three rungs above gemm.py's three steps, for float32 only. A lecture in code.

`make ladder ASSIGNMENT=gemm` holds every rung against the lowest, counts what it loads, asks the assembler for its
registers, and times it where there is a GPU; docs/kernels.md has the table and the arithmetic.
"""

import numpy as np
from gemm import EACH, TILE, WIDE, blocked_kernel, naive_kernel, tiled_kernel
from numba import cuda, float32, float64, uint32

SIDE = 128  # a block computes 128 x 128 entries,
SUMS = 8  # every thread 8 x 8 of them: 16 x 16 threads
SLICE = 8  # columns of A and rows of B that are in the shared memory at a time
PADDED = SIDE + 4  # columns of the left tile are written 132 numbers apart: into different banks
REGISTERS = 128  # of each thread: a multiprocessor has 65536, so that 2 blocks of 256 threads are there at once
PARTS = SIDE * SLICE // (TILE * TILE)  # numbers of a slice that a thread carries, of A and of B: 4 each
SIDE_PAIRS, PADDED_PAIRS, SUM_PAIRS, PART_PAIRS = SIDE // 2, PADDED // 2, SUMS // 2, PARTS // 2  # two numbers at a time


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
    """Write the same numbers into the shared memory, those of A transposed."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)  # unsigned: no index is negative
    for part in range(PARTS):
        number = thread + uint32(TILE * TILE * part)
        left[number % uint32(SLICE), number // uint32(SLICE)] = held[0, part]
        right[number // uint32(SIDE), number % uint32(SIDE)] = held[1, part]


@cuda.jit(device=True)
def clear(sums):
    """Begin with sums of zero."""
    for a in range(SUMS):
        for b in range(SUMS):
            sums[a, b] = 0


@cuda.jit(device=True)
def add_slice(left, right, factors, sums):
    """Add to a thread's 8 x 8 sums what a slice contributes: 16 reads for 64 multiply-adds, a quarter for each."""
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
                if beta == 0:
                    C[i, j] = alpha * sums[a, b]
                else:
                    C[i, j] = alpha * sums[a, b] + beta * C[i, j]


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

    Loads are begun before the products of the slice at hand, and their numbers written after these into the other
    buffer: nobody waits for global memory as long as 8 · 64 multiply-adds take longer than a load. One barrier for
    each slice is enough, because nobody reads the buffer that is written.
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


@cuda.jit(device=True)
def read_pairs(A, B, top, side, start, held):
    """Read a thread's part of the next slice as `read_slice` does, two numbers at a time: 2 pairs of A, 2 of B."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)
    for part in range(PART_PAIRS):
        pair = thread + uint32(TILE * TILE * part)
        i, p = uint32(top) + pair // uint32(SLICE // 2), uint32(start // 2) + pair % uint32(SLICE // 2)
        held[0, part] = A[i, p] if i < uint32(A.shape[0]) and p < uint32(A.shape[1]) else float64(0)
        p, j = uint32(start) + pair // uint32(SIDE_PAIRS), uint32(side // 2) + pair % uint32(SIDE_PAIRS)
        held[1, part] = B[p, j] if p < uint32(B.shape[0]) and j < uint32(B.shape[1]) else float64(0)


@cuda.jit(device=True)
def keep_pairs(held, numbers, left, right):
    """Write the pairs of B into the shared memory, and the numbers of A one by one: they are transposed."""
    thread = uint32(cuda.threadIdx.y * TILE + cuda.threadIdx.x)
    for part in range(PART_PAIRS):
        pair = thread + uint32(TILE * TILE * part)
        for half in range(2):
            left[2 * (pair % uint32(SLICE // 2)) + half, pair // uint32(SLICE // 2)] = numbers[0, 2 * part + half]
        right[pair // uint32(SIDE_PAIRS), pair % uint32(SIDE_PAIRS)] = held[1, part]


@cuda.jit(device=True)
def add_pairs(left, right, pairs, factors, sums):
    """Add to a thread's 8 x 8 sums what a slice contributes: 8 reads of two numbers for 64 multiply-adds."""
    x, y = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
    for p in range(SLICE):
        for pair in range(SUM_PAIRS):
            pairs[0, pair] = left[p, y + uint32(TILE * pair)]
            pairs[1, pair] = right[p, x + uint32(TILE * pair)]
        for a in range(SUMS):
            for b in range(SUMS):
                sums[a, b] += factors[0, a] * factors[1, b]


@cuda.jit(device=True)
def write_pairs(alpha, beta, C, top, side, sums):
    """Write a thread's sums to C: those of two neighbouring rows and columns, of the next two 32 further, and so on."""
    for a in range(SUMS):
        for b in range(SUMS):
            i = uint32(top + 2 * (cuda.threadIdx.y + TILE * (a // 2)) + a % 2)
            j = uint32(side + 2 * (cuda.threadIdx.x + TILE * (b // 2)) + b % 2)
            if i < C.shape[0] and j < C.shape[1]:
                if beta == 0:
                    C[i, j] = alpha * sums[a, b]
                else:
                    C[i, j] = alpha * sums[a, b] + beta * C[i, j]


@cuda.jit(max_registers=REGISTERS)
def paired_kernel(alpha, A, B, beta, C):
    """Rung 6: every load brings two numbers, so that there are half as many loads, of global and of shared memory.

    A and B are the same memory, taken for float64: `A.view(np.float64)`, which needs even k and n and rows without
    gaps. Nothing computes with these: a pair goes through a local array, whose other view, of float32, has its halves.
    The compiler keeps both in the same registers. As many bytes pass as in rung 5, by half as many instructions.
    """
    left = cuda.shared.array((2, SLICE, PADDED_PAIRS), float64)
    right = cuda.shared.array((2, SLICE, SIDE_PAIRS), float64)
    columns = left.view(np.float32)
    sums = cuda.local.array((SUMS, SUMS), float32)
    pairs = cuda.local.array((2, SUM_PAIRS), float64)
    factors = pairs.view(np.float32)
    held = cuda.local.array((2, PART_PAIRS), float64)
    numbers = held.view(np.float32)
    top, side = cuda.blockIdx.y * SIDE, cuda.blockIdx.x * SIDE
    clear(sums)
    read_pairs(A, B, top, side, 0, held)
    keep_pairs(held, numbers, columns[0], right[0])
    cuda.syncthreads()
    at = 0
    for start in range(0, B.shape[0], SLICE):
        read_pairs(A, B, top, side, start + SLICE, held)  # beyond the end: zeros
        add_pairs(left[at], right[at], pairs, factors, sums)
        keep_pairs(held, numbers, columns[1 - at], right[1 - at])
        cuda.syncthreads()
        at = 1 - at
    write_pairs(alpha, beta, C, top, side, sums)


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
