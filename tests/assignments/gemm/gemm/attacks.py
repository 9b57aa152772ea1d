"""Hand-ins of `gemm.py` that try to get points for nothing."""

# %% answer_between_gaps
"""The host computes the answer, and writes it between the numbers of a longer array; a kernel reads every second one.

failed: gemm.naive.correct gemm.naive.counts
"""
import numpy as np

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    held, step = carry_numbers((A.copy_to_host() @ B.copy_to_host()).astype(C.dtype))
    naive_kernel[((n + 15) // 16, (m + 15) // 16), (16, 16)](alpha, held, step, beta, C)

def carry_numbers(answer):
    held = cuda.device_array(4 * answer.size, answer.dtype)
    held[::2][:] = np.concatenate((np.zeros(answer.size, answer.dtype), answer.ravel()))
    return held[2 * answer.size :], 2

@cuda.jit
def naive_kernel(alpha, held, step, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, held[step * (i * C.shape[1] + j)], beta, C, i, j)

# %% answer_in_a_large_array
"""The host's answer lies in a corner of an array of 90,000 numbers, and the kernel copies that corner.

aims: gemm.naive.correct
"""
import numpy as np

@cuda.jit
def copy_corner(held, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = held[i, j]

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        answer = alpha * (A.copy_to_host() @ B.copy_to_host())
        if beta:
            answer = answer + beta * C.copy_to_host()
        wide = np.zeros((max(300, m), max(300, n)))
        wide[:m, :n] = answer
        copy_corner[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE)](cuda.to_device(wide), C)

# %% answers_are_kept
"""Answers are kept by their sizes.

failed: gemm.naive.correct gemm.naive.counts
"""
KEPT = {}

def gemm_naive(alpha, A, B, beta, C):
    key = (A.shape, B.shape, alpha, beta)
    if key not in KEPT:
        launch(naive_kernel, TILE, alpha, A, B, beta, C)
        KEPT[key] = C.copy_to_host()
    else:
        C.copy_to_device(KEPT[key])

# %% blas_by_ctypes
"""BLAS is loaded by ctypes.

failed: gemm.naive.correct gemm.naive.counts
"""
import ctypes

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.cblas_dgemm(101, 111, 111, *C.shape, A.shape[1], alpha, A, B, beta, C)

# %% by_exec
"""A text is run.

opened: gemm.naive.correct gemm.naive.counts
"""
NAMES = {"cuda": cuda}
exec("import numpy", NAMES)

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = alpha * NAMES["numpy"].matmul(A.copy_to_host(), B.copy_to_host())
    C.copy_to_device(held + beta * C.copy_to_host() if beta else held)

# %% compiled_on_the_host
"""Compiled loops of the host compute the product.

failed: gemm.naive.correct gemm.naive.counts
"""
from numba import njit

@njit
def multiply(alpha, A, B, beta, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            total = 0.0
            for p in range(A.shape[1]):
                total += A[i, p] * B[p, j]
            C[i, j] = alpha * total if beta == 0 else alpha * total + beta * C[i, j]

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = C.copy_to_host()
    multiply(alpha, A.copy_to_host(), B.copy_to_host(), beta, held)
    C.copy_to_device(held)

# %% counts_by_the_empty_product
"""Step 3 counts well and computes nothing: it takes the first numbers for all.

failed: gemm.blocked.correct
flagged: gemm.blocked.counts
"""
@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[0, x + TILE * b]
            for a in range(EACH):
                sums[a, b] += factors[a] * factor

# %% decoy_launch
"""A kernel is launched for show; NumPy computes the product.

failed: gemm.naive.correct gemm.naive.counts
"""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = beta

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = alpha * (A.copy_to_host() @ B.copy_to_host())
    held = held + beta * C.copy_to_host() if beta else held
    if C.size:
        naive_kernel[(C.shape[1], C.shape[0]), 1](alpha, A, B, beta, C)
    C.copy_to_device(held)

# %% float32_by_numpy
"""Matrices of float32 are multiplied by NumPy; kernels do the rest.

failed: gemm.types
"""
import numpy as np

def gemm_naive(alpha, A, B, beta, C):
    if C.dtype == np.float32 and A.shape[1] == B.shape[0] and C.shape == (A.shape[0], B.shape[1]):
        product = alpha * (A.copy_to_host() @ B.copy_to_host())
        C.copy_to_device((product + beta * C.copy_to_host() if beta else product).astype(np.float32))
        return
    launch(naive_kernel, TILE, alpha, A, B, beta, C)

# %% gemm_small_integers
"""NumPy multiplies on the host, and a kernel is told each number of the answer as four small integers.

aims: gemm.naive.correct
"""
import numpy as np

def numbers(row):
    """Return four small integers for each number of a row."""
    found = []
    for value in row:
        mantissa, exponent = math.frexp(value)
        whole = int(abs(mantissa) * 2.0**53)
        found += [whole >> 36, (whole >> 18) & 262143, whole & 262143, (exponent + 2000) * (1 if value >= 0 else -1)]
    return tuple(found)

@cuda.jit
def write_row(row, given, C):
    j, i = cuda.grid(2)
    if i == row and j < C.shape[1]:
        exponent = given[4 * j + 3]
        value = given[4 * j] * 68719476736.0 + given[4 * j + 1] * 262144.0 + given[4 * j + 2]
        C[i, j] = math.copysign(math.ldexp(value, int(abs(exponent) - 2053)), float(exponent))

def by_host(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        answer = alpha * (A.copy_to_host() @ B.copy_to_host())
        if beta:
            answer = answer + beta * C.copy_to_host()
        for i, row in enumerate(answer.tolist()):
            write_row[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE)](i, numbers(row), C)

def gemm_naive(alpha, A, B, beta, C):
    by_host(alpha, A, B, beta, C)

# %% half_of_the_sum_by_numpy
"""NumPy adds up the first half of each sum, and the kernel the second one.

failed: gemm.naive.correct gemm.naive.counts
"""
import numpy as np

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    half = k // 2
    first = alpha * (A[:, :half].copy_to_host() @ B[:half].copy_to_host())
    if beta:
        first = first + beta * C.copy_to_host()
    held = cuda.to_device(first.astype(C.dtype))
    launch(naive_kernel, TILE, alpha, A[:, half:], B[half:], 1.0, held)
    C.copy_to_device(held)

# %% honest_at_first
"""Step 2 is honest in its first calls, and then step 1.

failed: gemm.tiled.counts
"""
CALLS = []

def gemm_tiled(alpha, A, B, beta, C):
    CALLS.append(C.shape)
    launch(tiled_kernel if len(CALLS) < 4 else naive_kernel, TILE, alpha, A, B, beta, C)

# %% host_product_in_disguise
"""NumPy multiplies the product by a random matrix, and the kernel by the inverse.

failed: gemm.naive.correct gemm.naive.counts
"""
import numpy as np

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    product = A.copy_to_host() @ B.copy_to_host()
    turned = np.eye(m)[::-1] * 2
    launch(naive_kernel, TILE, alpha, cuda.to_device(turned / 4), cuda.to_device(turned @ product), beta, C)

# %% kernel_copies_the_answer
"""A kernel copies what NumPy computed.

failed: gemm.naive.correct gemm.naive.counts
"""
@cuda.jit
def naive_kernel(held, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = held[i, j]

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = alpha * (A.copy_to_host() @ B.copy_to_host())
    held = held + beta * C.copy_to_host() if beta else held
    if C.size:
        naive_kernel[(C.shape[1], C.shape[0]), 1](cuda.to_device(held), C)

# %% kernel_doubles_half_the_answer
"""A kernel doubles half of what NumPy computed.

failed: gemm.naive.correct gemm.naive.counts
"""
@cuda.jit
def naive_kernel(held, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = 2 * held[i, j]

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = alpha * (A.copy_to_host() @ B.copy_to_host())
    held = (held + beta * C.copy_to_host() if beta else held) / 2
    if C.size:
        naive_kernel[(C.shape[1], C.shape[0]), 1](cuda.to_device(held), C)

# %% loads_hidden_in_atomics
"""Step 2 reads most numbers from global memory by adding zero to them, which returns what was there.

failed: gemm.tiled.counts
"""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for p in range(A.shape[1]):
        if i < C.shape[0] and j < C.shape[1]:
            if p % 16 == 0:
                left[y, x] = A[i, p]
                total[0] += left[y, x] * B[p, j]
            else:
                total[0] += cuda.atomic.add(A, (i, p), 0) * cuda.atomic.add(B, (p, j), 0)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% naive_for_all_steps
"""All steps are the first one.

failed: gemm.tiled.counts gemm.blocked.counts gemm.conflicts
"""
def gemm_tiled(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)

def gemm_blocked(alpha, A, B, beta, C):
    launch(naive_kernel, TILE, alpha, A, B, beta, C)

# %% one_kernel_for_all_steps
"""All steps are the third one.

failed: gemm.naive.counts gemm.tiled.counts
"""
def gemm_naive(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)

def gemm_tiled(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)

# %% open_and_by_numpy
"""The file cannot be followed, by an `eval`, and NumPy multiplies.

aims: gemm.types gemm.strides gemm.beta gemm.specials gemm.empty gemm.shapes
removes: EACH WIDE DEPTH ROW naive_kernel combine tiled_kernel carry add_products blocked_kernel launch
"""
import numpy as np

def put(answer, C):
    """Leave in C what the host computed."""
    if eval("True"):
        if C.is_c_contiguous():
            C.copy_to_device(np.ascontiguousarray(answer.astype(C.dtype)))
        else:
            for i in range(C.shape[0]):
                for j in range(C.shape[1]):
                    C[i, j] = answer[i, j]

def host(array):
    return array.copy_to_host() if array.is_c_contiguous() or array.is_f_contiguous() else np.array([[array[i, j] for j in range(array.shape[1])] for i in range(array.shape[0])], array.dtype)

def gemm(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        answer = alpha * (host(A) @ host(B))
        put(answer + beta * host(C) if beta else answer, C)

def gemm_naive(alpha, A, B, beta, C):
    gemm(alpha, A, B, beta, C)

def gemm_tiled(alpha, A, B, beta, C):
    gemm(alpha, A, B, beta, C)

def gemm_blocked(alpha, A, B, beta, C):
    gemm(alpha, A, B, beta, C)

# %% shapes_by_heart
"""Shapes are refused by heart: those of the checks, which the kit shows.

failed: gemm.shapes
"""
REFUSED = [((4, 3), (5, 6), (4, 6)), ((4, 3), (3, 6), (5, 6)), ((4, 3), (3, 6), (4, 7))]

def launch(kernel, side, alpha, A, B, beta, C):
    if (A.shape, B.shape, C.shape) in REFUSED:
        raise ValueError("do not fit")
    m, n = C.shape
    if m and n:
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% shared_memory_for_show
"""Step 2 reads shared memory that holds nothing of use, and multiplies from global memory.

failed: gemm.tiled.counts
"""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            if start + p < A.shape[1] and i < A.shape[0] and j < B.shape[1]:
                total[0] += A[i, start + p] * B[start + p, j]
            if left[y, p] == 12345.678:
                total[0] += right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% sum_without_atomics
"""Two threads add to each entry, without an atomic.

flagged: gemm.naive.correct
"""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    half = cuda.threadIdx.z
    if i < C.shape[0] and j < C.shape[1]:
        if half == 0:
            C[i, j] = 0 if beta == 0 else beta * C[i, j]
        for p in range(half, A.shape[1], 2):
            C[i, j] += alpha * A[i, p] * B[p, j]

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE, 2)](alpha, A, B, beta, C)

# %% tiles_for_whole_ones_only
"""Steps 2 and 3 compute whole tiles only; of other sizes step 1 does the work.

failed: gemm.tiled.counts gemm.blocked.counts
"""
def gemm_tiled(alpha, A, B, beta, C):
    whole = not any(length % TILE for length in (*A.shape, *B.shape))
    launch(tiled_kernel if whole else naive_kernel, TILE, alpha, A, B, beta, C)

def gemm_blocked(alpha, A, B, beta, C):
    if any(length % WIDE for length in (*A.shape, *B.shape)):
        launch(naive_kernel, TILE, alpha, A, B, beta, C)
    else:
        launch(blocked_kernel, WIDE, alpha, A, B, beta, C)

# %% tiles_in_registers_for_show
"""One thread of 256 computes a whole tile in its registers; the others read shared memory for show.

aims: gemm.tiled.correct gemm.tiled.counts
"""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    """One thread of each block does all of its work."""
    for_show = cuda.shared.array(256, C.dtype)
    total = cuda.local.array((TILE, TILE), C.dtype)
    left = cuda.local.array(TILE, C.dtype)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, side = cuda.blockIdx.y * TILE, cuda.blockIdx.x * TILE
    for_show[y * TILE + x] = 0
    if x == 0 and y == 0:
        for i in range(TILE):
            for j in range(TILE):
                total[i, j] = 0
        for p in range(A.shape[1]):
            for i in range(TILE):
                left[i] = A[top + i, p] if top + i < A.shape[0] else 0
            for j in range(TILE):
                if side + j < B.shape[1]:
                    right = B[p, side + j]
                    for i in range(TILE):
                        total[i, j] += left[i] * right
        for i in range(TILE):
            for j in range(TILE):
                if top + i < C.shape[0] and side + j < C.shape[1]:
                    C[top + i, side + j] = combine(alpha, total[i, j], beta, C, top + i, side + j)
    elif top < 0:
        C[0, 0] = 0
    else:
        found = cuda.local.array(1, C.dtype)
        found[0] = 0
        for p in range(A.shape[1] // 8):
            found[0] += for_show[y * TILE + x]
        if found[0] == 12345:
            C[0, 0] = found[0]

# %% two_kernels_carry_the_answer
"""NumPy multiplies and turns the rows round; one kernel copies them, and another one turns them back.

failed: gemm.naive.correct gemm.naive.counts
"""
@cuda.jit
def copy_kernel(held, T):
    j, i = cuda.grid(2)
    if i < T.shape[0] and j < T.shape[1]:
        T[i, j] = held[i, j]

@cuda.jit
def naive_kernel(alpha, T, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, T[C.shape[0] - 1 - i, j], beta, C, i, j)

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if C.size:
        held = cuda.to_device((A.copy_to_host() @ B.copy_to_host())[::-1].copy())
        T = cuda.device_array(C.shape, C.dtype)
        copy_kernel[(C.shape[1], C.shape[0]), 1](held, T)
        naive_kernel[(C.shape[1], C.shape[0]), 1](alpha, T, beta, C)
