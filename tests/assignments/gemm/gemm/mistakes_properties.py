"""Mistakes in what holds for all steps: shapes, types, alpha and beta.

failed: gemm.strides
"""

# %% beta_times_nan
"""C is always read: 0 · NaN is NaN.

failed: gemm.beta
"""
@cuda.jit(device=True)
def combine(alpha, total, beta, C, i, j):
    return alpha * total + beta * C[i, j]

# %% copies_before_the_launch
"""Arrays are copied into one piece before the launch."""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if not B.is_c_contiguous() and B.size:
        B = cuda.to_device(B.copy_to_host().copy())
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% empty_is_launched
"""A grid without blocks is launched.

failed: gemm.empty
"""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% float32_refused
"""Arrays of float32 are refused.

failed: gemm.types
"""
def launch(kernel, side, alpha, A, B, beta, C):
    if C.dtype.itemsize != 8:
        raise TypeError("float64 only")
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% half_precision_of_shared
"""Tiles of float16 where float32 comes in.

failed: gemm.types
"""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if C.dtype.itemsize == 4:
        kernel = coarse_kernel
        side = TILE
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

@cuda.jit
def coarse_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0
        for p in range(A.shape[1]):
            total += int(4096 * A[i, p] * B[p, j])
        C[i, j] = combine(alpha, total / 4096, beta, C, i, j)

# %% infinities_are_capped
"""Large results are cut off.

failed: gemm.specials
"""
@cuda.jit(device=True)
def combine(alpha, total, beta, C, i, j):
    if beta == 0:
        return alpha * total
    return max(-1e30, min(1e30, alpha * total + beta * C[i, j]))

# %% nothing_to_add_changes_nothing
"""With k = 0 nothing happens, but C has to become beta C.

failed: gemm.empty
"""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if m and n and k:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% shapes_of_c_unchecked
"""Only A and B are compared.

failed: gemm.shapes
"""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k:
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% strides_ignored
"""Step 1 takes C for an array in one piece."""
def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if not C.is_c_contiguous() and C.size:
        raise TypeError("C has to be in one piece")
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% zeros_are_skipped
"""Products with NaN are left out.

failed: gemm.specials
"""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1]):
            if A[i, p] == A[i, p]:
                total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)
