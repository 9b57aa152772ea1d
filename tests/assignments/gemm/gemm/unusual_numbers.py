"""Numbers, their types and sums, in unusual ways."""

# %% beta_applied_first
"""A kernel of its own multiplies C by beta; the product is added to it."""
@cuda.jit
def scale(beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        if beta == 0:
            C[i, j] = 0
        else:
            C[i, j] *= beta

@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] += alpha * total[0]

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        grid = math.ceil(n / TILE), math.ceil(m / TILE)
        scale[grid, (TILE, TILE)](beta, C)
        naive_kernel[grid, (TILE, TILE)](alpha, A, B, beta, C)

# %% factors_in_an_array
"""Alpha and beta go to the kernel in a small array."""
@cuda.jit
def naive_kernel(factors, A, B, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(factors[0], total[0], factors[1], C, i, j)

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if C.size:
        factors = cuda.to_device(np.array([alpha, beta], C.dtype))
        grid = math.ceil(C.shape[1] / TILE), math.ceil(C.shape[0] / TILE)
        naive_kernel[grid, (TILE, TILE)](factors, A, B, C)

# %% factors_of_the_type_of_c
"""Alpha and beta become numbers of the type of C, by C.dtype.type, before the launch; sizes are a named tuple."""
from collections import namedtuple
Sizes = namedtuple("Sizes", "rows inner columns")

def launch(kernel, side, alpha, A, B, beta, C):
    sizes = Sizes(*A.shape, B.shape[1])
    if B.shape[0] != sizes.inner or C.shape != (sizes.rows, sizes.columns):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    number = C.dtype.type
    if sizes.rows and sizes.columns:
        grid = math.ceil(sizes.columns / side), math.ceil(sizes.rows / side)
        kernel[grid, (TILE, TILE)](number(alpha), A, B, number(beta), C)

# %% kernel_without_beta
"""Where β is 0, a kernel that never reads C computes the product: `gemm` uses it for small ones."""
@cuda.jit
def multiply_kernel(alpha, A, B, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        C[i, j] = alpha * total

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        grid = math.ceil(n / TILE), math.ceil(m / TILE)
        if beta == 0:
            multiply_kernel[grid, (TILE, TILE)](alpha, A, B, C)
        else:
            naive_kernel[grid, (TILE, TILE)](alpha, A, B, beta, C)

def gemm(alpha, A, B, beta, C):
    step = gemm_naive if C.size < WIDE * WIDE else gemm_blocked
    step(alpha, A, B, beta, C)

# %% kernels_by_type
"""One kernel for each type, made by a function."""
def make(kind):
    @cuda.jit
    def kernel(alpha, A, B, beta, C):
        j, i = cuda.grid(2)
        if i < C.shape[0] and j < C.shape[1]:
            total = kind(0)
            for p in range(A.shape[1]):
                total += A[i, p] * B[p, j]
            C[i, j] = combine(alpha, total, beta, C, i, j)

    return kernel

KERNELS = {4: make(float32), 8: make(float64)}

def gemm_naive(alpha, A, B, beta, C):
    launch(KERNELS[C.dtype.itemsize], TILE, alpha, A, B, beta, C)

# %% blocked_for_all_sizes
"""Step 3, whose functions name many constants, does all products."""
def gemm(alpha, A, B, beta, C):
    gemm_blocked(alpha, A, B, beta, C)

# %% number_type_of_dtype
"""alpha and beta are converted to the type of C before the launch.

removes: EACH WIDE DEPTH ROW carry add_products blocked_kernel launch gemm_paired
"""
BM = BN = 32
BK = 16
PITCH = 17

@cuda.jit(device=True, inline=True)
def finish(alpha, s, beta, C, i, j):
    if i < C.shape[0] and j < C.shape[1]:
        if beta == 0:
            C[i, j] = alpha * s
        else:
            C[i, j] = alpha * s + beta * C[i, j]

@cuda.jit
def kernel3(alpha, A, B, beta, C):
    """2 x 2 sums in four variables; the thread's entries are 16 apart."""
    sa = cuda.shared.array((BM, PITCH), C.dtype)
    sb = cuda.shared.array((BK, BN), C.dtype)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    i0 = cuda.blockIdx.y * BM + ty
    j0 = cuda.blockIdx.x * BN + tx
    i1, j1 = i0 + 16, j0 + 16
    M, K = A.shape
    N = B.shape[1]
    s00 = s01 = s10 = s11 = alpha * 0
    for k0 in range(0, K, BK):
        ka = k0 + tx
        kb = k0 + ty
        sa[ty, tx] = A[i0, ka] if i0 < M and ka < K else 0
        sa[ty + 16, tx] = A[i1, ka] if i1 < M and ka < K else 0
        sb[ty, tx] = B[kb, j0] if kb < K and j0 < N else 0
        sb[ty, tx + 16] = B[kb, j1] if kb < K and j1 < N else 0
        cuda.syncthreads()
        for q in range(BK):
            a0, a1 = sa[ty, q], sa[ty + 16, q]
            b0, b1 = sb[q, tx], sb[q, tx + 16]
            s00 += a0 * b0
            s01 += a0 * b1
            s10 += a1 * b0
            s11 += a1 * b1
        cuda.syncthreads()
    finish(alpha, s00, beta, C, i0, j0)
    finish(alpha, s01, beta, C, i0, j1)
    finish(alpha, s10, beta, C, i1, j0)
    finish(alpha, s11, beta, C, i1, j1)

def _run(kernel, tile, threads, alpha, A, B, beta, C):
    m, k = A.shape
    k2, n = B.shape
    if k != k2:
        raise ValueError("inner sizes differ: A %r, B %r" % (A.shape, B.shape))
    if (m, n) != C.shape:
        raise ValueError("C %r should be %r" % (C.shape, (m, n)))
    if m == 0 or n == 0:
        return
    number = np.dtype(C.dtype).type
    kernel[(-(-n // tile), -(-m // tile)), threads](number(alpha), A, B, number(beta), C)

gemm_naive = lambda alpha, A, B, beta, C: _run(naive_kernel, 16, (16, 16), alpha, A, B, beta, C)  # noqa: E731
gemm_tiled = lambda alpha, A, B, beta, C: _run(tiled_kernel, 16, (16, 16), alpha, A, B, beta, C)  # noqa: E731

def gemm_blocked(alpha, A, B, beta, C):
    _run(kernel3, 32, (16, 16), alpha, A, B, beta, C)

def gemm(alpha, A, B, beta, C):
    return gemm_blocked(alpha, A, B, beta, C)

# %% signatures
"""Kernels are compiled before they are called, for two signatures."""
from numba import float32, float64, void
@cuda.jit([
    void(float64, float64[:, :], float64[:, :], float64, float64[:, :]),
    void(float64, float32[:, :], float32[:, :], float64, float32[:, :]),
])
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        old = C[i, j]
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = alpha * total[0]
        if beta != 0:
            C[i, j] += beta * old

# %% sums_in_c
"""Step 1 scales C first, and adds each product to it."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    m, n = C.shape
    if i >= m or j >= n:
        return
    C[i, j] = 0 if beta == 0 else beta * C[i, j]
    p = 0
    while p < A.shape[1]:
        C[i, j] += alpha * A[i, p] * B[p, j]
        p += 1

# %% sums_in_double
"""Sums of float32 are kept in float64."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, float64)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% sums_of_eight
"""Each thread keeps 8 × 8 sums."""
EACH = 8

WIDE = 128

ROW = 129

# %% total_is_a_variable
"""The sum is a plain variable, which begins as 0.0."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total, beta, C, i, j)
