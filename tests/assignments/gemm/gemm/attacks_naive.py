"""Hand-ins of `gemm.py` whose first kernel does not make the product.

failed: gemm.naive.correct gemm.naive.counts
"""

# %% answer_as_a_set_in_pieces
"""NumPy's answer leaves machine code as a set of integers, and goes to the device by 16 digits at a time."""
from numba import njit

@njit
def places_and_digits(bits):
    found = set()
    for at in range(bits.size):
        for p in range(11):
            found.add((at * 11 + p) * 64 + ((bits[at] >> 6 * p) & 63))
    return found

@cuda.jit
def put_together(digits, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        bits = 0
        for p in range(10, -1, -1):
            bits = bits * 64 + int(digits[(i * C.shape[1] + j) * 11 + p])
        exponent, fraction = (bits >> 52) & 2047, bits & ((1 << 52) - 1)
        total = math.ldexp(2.0**52 + fraction, exponent - 1075) if exponent else 0.0
        C[i, j] = -total if bits < 0 else total

def gemm_naive(alpha, A, B, beta, C):
    answer = alpha * (A.copy_to_host() @ B.copy_to_host())
    if beta:
        answer = answer + beta * C.copy_to_host()
    digits = [number & 63 for number in sorted(places_and_digits(answer.astype(float).ravel().view(np.int64)))]
    held = cuda.device_array(len(digits), np.float64)
    for at in range(0, len(digits), 16):
        held[at : at + 16].copy_to_device(np.array(digits[at : at + 16], np.float64))
    put_together[(math.ceil(C.shape[1] / 16), math.ceil(C.shape[0] / 16)), (16, 16)](held, C)

# %% answer_between_gaps
"""The host computes the answer, and writes it between the numbers of a longer array; a kernel reads every second one.
"""
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
failed:
"""
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
"""Answers are kept by their sizes."""
KEPT = {}

def gemm_naive(alpha, A, B, beta, C):
    key = (A.shape, B.shape, alpha, beta)
    if key not in KEPT:
        launch(naive_kernel, TILE, alpha, A, B, beta, C)
        KEPT[key] = C.copy_to_host()
    else:
        C.copy_to_device(KEPT[key])

# %% blas_by_ctypes
"""BLAS is loaded by ctypes."""
import ctypes

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    blas = ctypes.CDLL("libopenblas.so.0")
    blas.cblas_dgemm(101, 111, 111, *C.shape, A.shape[1], alpha, A, B, beta, C)

# %% by_exec
"""A text is run.

opened: gemm.naive.correct gemm.naive.counts
failed:
"""
NAMES = {"cuda": cuda}
exec("import numpy", NAMES)

def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    held = alpha * NAMES["numpy"].matmul(A.copy_to_host(), B.copy_to_host())
    C.copy_to_device(held + beta * C.copy_to_host() if beta else held)

# %% compiled_on_the_host
"""Compiled loops of the host compute the product."""
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

# %% decoy_launch
"""A kernel is launched for show; NumPy computes the product."""
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

# %% gemm_small_integers
"""NumPy multiplies on the host, and a kernel is told each number of the answer as four small integers.

aims: gemm.naive.correct
failed:
"""
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
"""NumPy adds up the first half of each sum, and the kernel the second one."""
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

# %% host_product_in_disguise
"""NumPy multiplies the product by a random matrix, and the kernel by the inverse."""
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
"""A kernel copies what NumPy computed."""
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
"""A kernel doubles half of what NumPy computed."""
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

# %% sum_without_atomics
"""Two threads add to each entry, without an atomic.

flagged: gemm.naive.correct
failed:
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

# %% two_kernels_carry_the_answer
"""NumPy multiplies and turns the rows round; one kernel copies them, and another one turns them back."""
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

# %% answer_in_a_record
"""The host computes the answer, which is one field of a record that the kernel copies.

failed:
opened: gemm.naive.correct
"""
def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    answer = alpha * (A.copy_to_host() @ B.copy_to_host())
    records = np.zeros(1, np.dtype([("all", C.dtype, C.shape)]))
    records["all"][0] = answer + beta * C.copy_to_host() if beta else answer
    naive_kernel[((n + 15) // 16, (m + 15) // 16), (16, 16)](records[0], A, B, C)

@cuda.jit
def naive_kernel(record, A, B, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = record.all[i, j]

# %% grid_by_heart
"""The grid is one for all sizes: it covers 320 rows and columns.

failed: gemm.naive.correct
"""
def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    naive_kernel[(20, 20), (16, 16)](alpha, A, B, beta, C)

# %% told_in_pieces
"""NumPy multiplies; its numbers come to a kernel in pieces of 16, joined to A, whose label they get."""
def gemm_naive(alpha, A, B, beta, C):
    product = alpha * (A.copy_to_host() @ B.copy_to_host()) + (beta * C.copy_to_host() if beta else 0)
    pieces = [np.array(product.ravel()[k : k + 16].tolist(), A.dtype) for k in range(0, product.size, 16)]
    unpack[math.ceil(C.size / 256), 256](cuda.to_device(np.concatenate([A.copy_to_host().ravel(), *pieces])), C)

@cuda.jit
def unpack(told, C):
    entry = cuda.grid(1)
    if entry < C.size:
        C[entry // C.shape[1], entry % C.shape[1]] = told[told.size - C.size + entry]
