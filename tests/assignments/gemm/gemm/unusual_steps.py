"""Steps, tiles and launches, in unusual ways."""

# %% asserted_shapes
"""Shapes are compared one by one, with a subclass of ValueError."""
class ShapeError(ValueError):
    pass

def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ShapeError("these shapes do not fit")
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% dynamic_shared_memory
"""The tiles of step 2 lie in shared memory whose size the launch says."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    memory = cuda.shared.array(0, C.dtype)
    left, right = memory[: TILE * TILE], memory[TILE * TILE :]
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y * TILE + x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y * TILE + x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y * TILE + p] * right[p * TILE + x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        memory = 2 * TILE * TILE * C.dtype.itemsize
        tiled_kernel[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE), cuda.default_stream(), memory](
            alpha, A, B, beta, C
        )

# %% edges_by_step_one
"""Step 3 computes whole tiles of 64 × 64 in registers, and what is left at the edges as step 2 does."""
def gemm_blocked(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if not (m and n):
        return
    whole_m, whole_n = m // WIDE * WIDE, n // WIDE * WIDE
    if whole_m and whole_n:
        launch(blocked_kernel, WIDE, alpha, A[:whole_m], B[:, :whole_n], beta, C[:whole_m, :whole_n])
    if whole_n and whole_m < m:
        launch(tiled_kernel, TILE, alpha, A[whole_m:], B[:, :whole_n], beta, C[whole_m:, :whole_n])
    if whole_n < n:
        launch(tiled_kernel, TILE, alpha, A, B[:, whole_n:], beta, C[:, whole_n:])

# %% grid_stride
"""Step 1 strides over C with a fixed grid that is large enough."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    for entry in range(cuda.grid(1), C.shape[0] * C.shape[1], cuda.gridsize(1)):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[128, 128](alpha, A, B, beta, C)

# %% kernel_for_columns
"""Where B lies by columns, as a transposed one does, `gemm` takes a kernel in which a warp reads down a column."""
@cuda.jit
def columns_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, 17), C.dtype)
    total = 0.0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    column = cuda.blockIdx.x * TILE + y
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[x, y] = B[start + x, column] if start + x < B.shape[0] and column < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total, beta, C, i, j)

def gemm(alpha, A, B, beta, C):
    is_turned = B.strides[0] < B.strides[1]
    launch(columns_kernel if is_turned else tiled_kernel, TILE, alpha, A, B, beta, C)

# %% one_dimension
"""Step 1 numbers its threads in one dimension."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    entry = cuda.grid(1)
    if entry < C.shape[0] * C.shape[1]:
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[math.ceil(m * n / 256), 256](alpha, A, B, beta, C)

# %% own_stream_prints_and_warns
"""Launches go into a stream of their own; there are prints, warnings and a log."""
import warnings
LOG = []

def launch(kernel, side, alpha, A, B, beta, C):
    assert alpha is not None
    shapes = {"A": A.shape, "B": B.shape, "C": C.shape}
    LOG.append(shapes)
    if A.shape[1] != B.shape[0] or (A.shape[0], B.shape[1]) != tuple(C.shape):
        raise ValueError("shapes: " + ", ".join(f"{name} {shape}" for name, shape in shapes.items()))
    if 0 in C.shape:
        warnings.warn("nothing to do", stacklevel=2)
        return
    print("launching", kernel, "for", C.shape)
    stream = cuda.stream()
    blocks = tuple((length + side - 1) // side for length in C.shape[::-1])
    kernel[blocks, (TILE, TILE), stream](alpha, A, B, beta, C)
    stream.synchronize()

# %% padded_tiles
"""Rows of tiles have one number more than they need."""
@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((16, 17), C.dtype)
    right = cuda.shared.array((16, 17), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

# %% partial_steps
"""Steps are partial applications of one function that launches."""
from functools import partial
gemm_naive = partial(launch, naive_kernel, TILE)
gemm_tiled = partial(launch, tiled_kernel, TILE)
gemm_blocked = partial(launch, blocked_kernel, WIDE)

# %% rows_along_x
"""Neighbouring threads take neighbouring rows."""
@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)  # of the arrays' own type: a sum in float64 is slow on most GPUs
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[(math.ceil(m / TILE), math.ceil(n / TILE)), (TILE, TILE)](alpha, A, B, beta, C)

# %% rows_and_columns_apart
"""Products of a single column and of a single row have kernels of their own."""
@cuda.jit
def column_kernel(alpha, A, B, beta, C):
    i = cuda.grid(1)
    if i < C.shape[0]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, 0]
        C[i, 0] = combine(alpha, total, beta, C, i, 0)

@cuda.jit
def row_kernel(alpha, A, B, beta, C):
    j = cuda.grid(1)
    if j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[0, p] * B[p, j]
        C[0, j] = combine(alpha, total, beta, C, 0, j)

def gemm(alpha, A, B, beta, C):
    fits = A.shape[1] == B.shape[0] and C.shape == (A.shape[0], B.shape[1])
    if fits and C.shape[1] == 1 and C.shape[0]:
        column_kernel[math.ceil(C.shape[0] / 128), 128](alpha, A, B, beta, C)
    elif fits and C.shape[0] == 1 and C.shape[1]:
        row_kernel[math.ceil(C.shape[1] / 128), 128](alpha, A, B, beta, C)
    else:
        (gemm_blocked if min(C.shape) >= WIDE else gemm_tiled)(alpha, A, B, beta, C)

# %% steps_in_a_dict
"""gemm takes its step out of a dictionary, by the size of C."""
def gemm(alpha, A, B, beta, C):
    match min(C.shape, default=0) >= WIDE:
        case True:
            size = "large"
        case _:
            size = "small"
    STEPS = {"small": gemm_tiled, "large": gemm_blocked}
    STEPS[size](alpha=alpha, A=A, B=B, beta=beta, C=C)

# %% steps_of_a_class
"""Steps are objects that can be called."""
class Step:
    def __init__(self, kernel, side):
        self.kernel = kernel
        self.side = side

    def __call__(self, alpha, A, B, beta, C):
        launch(self.kernel, self.side, alpha, A, B, beta, C)

gemm_naive = Step(naive_kernel, TILE)
gemm_tiled = Step(tiled_kernel, TILE)
gemm_blocked = Step(blocked_kernel, WIDE)

# %% steps_of_a_factory
"""Steps are closures, made by a function."""
def make_step(kernel, side):
    def step(alpha, A, B, beta, C):
        launch(kernel, side, alpha, A, B, beta, C)

    return step

gemm_naive = make_step(naive_kernel, TILE)
gemm_tiled = make_step(tiled_kernel, TILE)
gemm_blocked = make_step(blocked_kernel, WIDE)

# %% tiles_of_32
"""Tiles of 32 × 32 numbers."""
TILE = 32

DEPTH = 32

EACH = 2

# %% two_by_two_unrolled
"""Step 3 has 16 × 16 threads with 2 × 2 sums in variables of their own, of double precision, and two buffers."""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((2, 32, 33), C.dtype)
    right = cuda.shared.array((2, 32, 33), C.dtype)
    zero = 0.0
    s00 = s01 = s10 = s11 = zero
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i0, j0 = 32 * cuda.blockIdx.y + y, 32 * cuda.blockIdx.x + x
    i1, j1 = i0 + 16, j0 + 16
    at = 0
    for start in range(0, A.shape[1], 32):
        for half in range(0, 32, 16):
            p = start + x + half
            left[at, y, x + half] = A[i0, p] if i0 < A.shape[0] and p < A.shape[1] else zero
            left[at, y + 16, x + half] = A[i1, p] if i1 < A.shape[0] and p < A.shape[1] else zero
            q = start + y + half
            right[at, y + half, x] = B[q, j0] if q < B.shape[0] and j0 < B.shape[1] else zero
            right[at, y + half, x + 16] = B[q, j1] if q < B.shape[0] and j1 < B.shape[1] else zero
        cuda.syncthreads()
        for p in range(32):
            a0, a1 = left[at, y, p], left[at, y + 16, p]
            b0, b1 = right[at, p, x], right[at, p, x + 16]
            s00 += a0 * b0
            s01 += a0 * b1
            s10 += a1 * b0
            s11 += a1 * b1
        at = 1 - at
    if i0 < C.shape[0] and j0 < C.shape[1]:
        C[i0, j0] = combine(alpha, s00, beta, C, i0, j0)
    if i0 < C.shape[0] and j1 < C.shape[1]:
        C[i0, j1] = combine(alpha, s01, beta, C, i0, j1)
    if i1 < C.shape[0] and j0 < C.shape[1]:
        C[i1, j0] = combine(alpha, s10, beta, C, i1, j0)
    if i1 < C.shape[0] and j1 < C.shape[1]:
        C[i1, j1] = combine(alpha, s11, beta, C, i1, j1)

def gemm_blocked(alpha, A, B, beta, C):
    launch(blocked_kernel, 32, alpha, A, B, beta, C)

# %% wide_blocks
"""Step 3 has 8 × 32 threads with 4 × 2 sums each."""
@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((32, 33), C.dtype)
    right = cuda.shared.array((32, 64), C.dtype)
    sums = cuda.local.array((4, 2), C.dtype)
    factors = cuda.local.array(4, C.dtype)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, side = cuda.blockIdx.y * 32, cuda.blockIdx.x * 64
    for a in range(4):
        for b in range(2):
            sums[a, b] = 0
    for start in range(0, A.shape[1], 32):
        for a in range(4):
            i, p = top + y + 8 * a, start + x
            left[y + 8 * a, x] = A[i, p] if i < A.shape[0] and p < A.shape[1] else 0
            for b in range(2):
                p, j = start + y + 8 * a, side + x + 32 * b
                right[y + 8 * a, x + 32 * b] = B[p, j] if p < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(32):
            for a in range(4):
                factors[a] = left[y + 8 * a, p]
            for b in range(2):
                factor = right[p, x + 32 * b]
                for a in range(4):
                    sums[a, b] += factors[a] * factor
        cuda.syncthreads()
    for a in range(4):
        for b in range(2):
            i, j = top + y + 8 * a, side + x + 32 * b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)

def gemm_blocked(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        blocked_kernel[(math.ceil(n / 64), math.ceil(m / 32)), (32, 8)](alpha, A, B, beta, C)
