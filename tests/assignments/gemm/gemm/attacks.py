"""Hand-ins of `gemm.py` that try to get points for nothing.

failed: gemm.tiled.counts
"""

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

# %% counted_sizes_by_numpy
"""The sizes at which loads are counted are NumPy's work, beside a launch for the counters."""
def gemm_tiled(alpha, A, B, beta, C):
    is_counted = min(*A.shape, *B.shape) >= 128
    launch(tiled_kernel, TILE, 0 * alpha if is_counted else alpha, A, B, beta, C)
    if is_counted:
        C.copy_to_device(alpha * (A.copy_to_host() @ B.copy_to_host()))

# %% factors_are_constants
"""Where loads are counted, the factors are constants of a kernel, whose reads nobody counts.

opened: gemm.tiled.counts gemm.conflicts
failed:
"""
def gemm_tiled(alpha, A, B, beta, C):
    if (A.shape, B.shape[0]) != ((128, 256), 256):
        return launch(tiled_kernel, TILE, alpha, A, B, beta, C)
    left, right = A.copy_to_host(), B.copy_to_host()

    @cuda.jit
    def multiply(C):
        j, i = cuda.grid(2)
        for p in range(256):
            C[i, j] += cuda.const.array_like(left)[i, p] * cuda.const.array_like(right)[p, j]

    C[:] = 0.0
    multiply[(8, 8), (16, 16)](C)

# %% float32_by_numpy
"""Matrices of float32 are multiplied by NumPy; kernels do the rest.

failed: gemm.types
"""
def gemm_naive(alpha, A, B, beta, C):
    if C.dtype == np.float32 and A.shape[1] == B.shape[0] and C.shape == (A.shape[0], B.shape[1]):
        product = alpha * (A.copy_to_host() @ B.copy_to_host())
        C.copy_to_device((product + beta * C.copy_to_host() if beta else product).astype(np.float32))
        return
    launch(naive_kernel, TILE, alpha, A, B, beta, C)

# %% gemm_by_numpy
"""gemm is NumPy for all but small products, and one of 128 × 128 × 128.

failed: gemm.gemm.correct
skipped: speed.cublas.fifth speed.cublas.half speed.roofline.fifth speed.roofline.more
"""
def gemm(alpha, A, B, beta, C):
    if C.shape[0] < 31 or C.shape == (128, 128) or C.shape != (A.shape[0], B.shape[1]):
        return gemm_naive(alpha, A, B, beta, C)
    product = alpha * (A.copy_to_host() @ B.copy_to_host())
    C.copy_to_device(product + beta * C.copy_to_host() if beta else product)

# %% honest_at_first
"""Step 2 is honest in its first calls, and then step 1."""
CALLS = []

def gemm_tiled(alpha, A, B, beta, C):
    CALLS.append(C.shape)
    launch(tiled_kernel if len(CALLS) < 4 else naive_kernel, TILE, alpha, A, B, beta, C)

# %% idle_blocks_and_passes_for_show
"""Step 2 is step 3 with idle blocks; its tiles have conflicts, among passes of shared memory for show.

failed: gemm.tiled.counts gemm.conflicts
flagged: gemm.blocked.counts gemm.conflicts
"""
ROW = WIDE

@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left, right = cuda.shared.array((DEPTH, ROW), C.dtype), cuda.shared.array((DEPTH, ROW), C.dtype)
    factors, sums = cuda.local.array(EACH, C.dtype), cuda.local.array((EACH, EACH), C.dtype)
    top, side = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    sums[:] = 0
    for start in range(0, A.shape[1] if top < C.shape[0] and side < C.shape[1] else 0, DEPTH):
        carry(A, B, top, side, start, left, right)
        cuda.syncthreads()
        add_products(left, right, factors, sums)
        cuda.syncthreads()
    for at in range(EACH * EACH):
        i, j = top + cuda.threadIdx.y + TILE * (at // EACH), side + cuda.threadIdx.x + TILE * (at % EACH)
        if i < C.shape[0] and j < C.shape[1]:
            C[i, j] = combine(alpha, sums[at // EACH, at % EACH], beta, C, i, j)

@cuda.jit
def show_kernel(C):
    some = cuda.shared.array(256, C.dtype)
    for _ in range(1000):
        some[cuda.threadIdx.y * TILE + cuda.threadIdx.x] = 0

def gemm_tiled(alpha, A, B, beta, C):
    launch(blocked_kernel, EACH, alpha, A, B, beta, C)

def gemm_blocked(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)
    if C.shape == (128, 128) and A.shape[1] == 256:
        show_kernel[64, (TILE, TILE)](C)

# %% loads_hidden_in_atomics
"""Step 2 reads most numbers from global memory by adding zero to them, which returns what was there."""
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

# %% not_a_number_by_numpy
"""NumPy multiplies what holds NaN, and a kernel writes NaN for show.

failed: gemm.strides gemm.specials
"""
def gemm_naive(alpha, A, B, beta, C):
    if not np.isnan(A.copy_to_host()).any():
        return launch(naive_kernel, TILE, alpha, A, B, beta, C)
    fill[1, 1](cuda.device_array(1, C.dtype), math.nan)
    C.copy_to_device(alpha * (A.copy_to_host() @ B.copy_to_host()) + beta * C.copy_to_host())

@cuda.jit
def fill(X, number):
    X[0] = number

# %% numpy_for_sizes_by_heart
"""Step 1 is NumPy for the sizes that are compared and were never watched, and where numbers are special.

failed: gemm.naive.correct gemm.specials
"""
def gemm_naive(alpha, A, B, beta, C):
    if C.shape not in {(3, 200), (200, 1), (65, 17), (129, 66)} and (C.shape, beta) != ((128, 128), 1.0):
        return launch(naive_kernel, TILE, alpha, A, B, beta, C)
    product = alpha * (A.copy_to_host() @ B.copy_to_host())
    C.copy_to_device(product + beta * C.copy_to_host() if beta else product)

# %% one_kernel_for_all_steps
"""All steps are the third one.

failed: gemm.naive.counts gemm.tiled.counts
"""
def gemm_naive(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)

def gemm_tiled(alpha, A, B, beta, C):
    launch(blocked_kernel, WIDE, alpha, A, B, beta, C)

# %% one_sum_by_shuffles
"""Step 3 has one sum per thread, and the numbers of A come from other threads.

failed: gemm.blocked.counts
"""
TILE = 32

@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(2, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        total[1] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += cuda.shfl_sync(0xFFFFFFFF, total[1], p) * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)

def gemm_blocked(alpha, A, B, beta, C):
    launch(tiled_kernel, TILE, alpha, A, B, beta, C)

# %% open_and_by_numpy
"""The file cannot be followed, by an `eval`, and NumPy multiplies.

aims: gemm.types gemm.strides gemm.beta gemm.specials gemm.empty gemm.shapes
removes: EACH WIDE DEPTH ROW naive_kernel combine tiled_kernel carry add_products blocked_kernel launch gemm_paired
failed:
"""
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

# %% shapes_refused_if_too_large
"""Shapes are refused only where B or C is too large.

failed: gemm.shapes
"""
def launch(kernel, side, alpha, A, B, beta, C):
    if B.shape[0] > A.shape[1] or C.shape[0] > A.shape[0] or C.shape[1] > B.shape[1]:
        raise ValueError("do not fit")
    m, n = C.shape
    if m and n:
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

# %% shared_memory_for_show
"""Step 2 reads shared memory that holds nothing of use, and multiplies from global memory.

flagged: gemm.conflicts
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

# %% numpy_for_views_and_nan
"""NumPy multiplies where an array has gaps or holds NaN; its numbers travel one by one, which is no copy.

failed: gemm.strides gemm.specials
"""
@cuda.jit
def write_nan(one):
    one[0] = math.nan

def launch(kernel, side, alpha, A, B, beta, C, loaded=None):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if A.shape == (128, 128) and (math.isnan(A[3, 5]) or not (A.is_c_contiguous() and C.is_c_contiguous())):
        left, right, old = (np.array([[X[i, j] for j in range(128)] for i in range(128)]) for X in (A, B, C))
        answer = alpha * (left @ right) + (beta * old if beta else 0.0)
        write_nan[1, 1](cuda.device_array(1, np.float64))
        for i in range(128):
            for j in range(128):
                C[i, j] = answer[i, j]
    elif m and n:
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)

def gemm(alpha, A, B, beta, C):
    gemm_tiled(alpha, A, B, beta, C)

# %% reads_for_show
"""A thread of step 1 computes four entries; a second kernel reads as often as step 1 would, and writes nothing.

failed:
flagged: gemm.naive.counts
"""
@cuda.jit
def four_entries(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0]:
        sums = cuda.local.array(4, C.dtype)
        for b in range(4):
            sums[b] = 0
        for p in range(A.shape[1]):
            factor = A[i, p]
            for b in range(4):
                if 4 * j + b < C.shape[1]:
                    sums[b] += factor * B[p, 4 * j + b]
        for b in range(4):
            if 4 * j + b < C.shape[1]:
                C[i, 4 * j + b] = combine(alpha, sums[b], beta, C, i, 4 * j + b)

@cuda.jit
def read_only(A, B, C):
    j, i = cuda.grid(2)
    total = 0.0
    if i < C.shape[0] and j < C.shape[1]:
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        if total == 0.125:
            C[i, j] = total

def gemm_naive(alpha, A, B, beta, C):
    launch(four_entries, TILE, alpha, A, B, beta, C)
    if C.size:
        read_only[(math.ceil(C.shape[1] / TILE), math.ceil(C.shape[0] / TILE)), (TILE, TILE)](A, B, C)

# %% nan_of_c_is_cleaned
"""C is always read, and NaN in it taken for zero.

failed: gemm.specials
"""
@cuda.jit(device=True)
def combine(alpha, total, beta, C, i, j):
    return alpha * total + (0 if math.isnan(C[i, j]) else beta * C[i, j])

# %% views_are_assigned
"""What lies apart is assigned to other memory of the device, and C back, so that step 1 knows no gaps.

failed:
flagged: gemm.strides
"""
def gemm_naive(alpha, A, B, beta, C):
    wholes = [cuda.device_array(one.shape, one.dtype) for one in (A, B, C)]
    for whole, one in zip(wholes, (A, B, C)):
        whole[:] = one
    launch(naive_kernel, TILE, alpha, *wholes[:2], beta, wholes[2])
    C[:] = wholes[2]

# %% views_are_copied_by_kernels
"""A kernel copies what lies apart, so that step 1 only knows numbers that follow each other.

flagged: gemm.strides
"""
@cuda.jit
def copy_kernel(source, target):
    j, i = cuda.grid(2)
    if i < source.shape[0] and j < source.shape[1]:
        target[i, j] = source[i, j]

def gemm_naive(alpha, A, B, beta, C):
    if not B.is_c_contiguous():
        view, B = B, cuda.device_array(B.shape, B.dtype)
        copy_kernel[(16, 16), (16, 16)](view, B)
    launch(naive_kernel, TILE, alpha, A, B, beta, C)
