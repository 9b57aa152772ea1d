"""A device function with a signature, blocks of (1, 1000), annotations, and imports that nothing needs.

slow: its neighbours of the same kind are in the fast set
"""

import argparse
from typing import Any, Tuple
import time

rows: int = 1000
cols: int = 1000
Matrix = np.ndarray


@cuda.jit("int64(int64, int64)", device=True, inline=True)
def bigger(a, b):
    return a if a > b else b


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = bigger(A[i, j], B[i, j])


def max_gpu(A: Matrix, B: Matrix) -> Matrix:
    """grid (1000,1), block (1,1000)"""
    d_c = cuda.device_array_like(A)
    max_kernel[(1000, 1), (1, 1000)](cuda.to_device(A), cuda.to_device(B), d_c)
    result: Matrix = d_c.copy_to_host()
    return result


@njit(cache=True)
def _pick(a, b):
    if a > b:
        return a
    return b


@njit(cache=True)
def max_numba(A: Matrix, B: Matrix) -> Matrix:
    C = A.copy()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = _pick(A[i, j], B[i, j])
    return C


def max_cpu(A: Matrix, B: Matrix) -> Matrix:
    C: Matrix = np.array(A, copy=True)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i][j] > C[i][j]:
                C[i][j] = B[i][j]
    return C
