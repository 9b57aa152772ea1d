"""Everything is imported by a star, and the module is known under another name.

slow: its neighbours of the same kind are in the fast set
"""

from numpy import *
from numba import *
import numba.cuda as cu


@cu.jit
def max_kernel(A, B, C):
    i = cu.blockIdx.x
    j = cu.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        if A[i, j] < B[i, j]:
            C[i, j] = B[i, j]
        else:
            C[i, j] = A[i, j]
