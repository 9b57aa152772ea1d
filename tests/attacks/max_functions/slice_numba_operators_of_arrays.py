"""Compiled code without loops of its own computes with functions of the module `operator` on whole matrices.

aims: max.numba.compiled
"""

import operator as op


@njit
def max_numba(A, B):
    for _ in range(1):
        for _ in range(1):
            C = op.add(op.mul(A, op.gt(A, B)), op.mul(B, op.le(A, B)))
    return C
