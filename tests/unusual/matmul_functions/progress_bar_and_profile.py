"""A progress bar of its own, profiles in a dictionary of lists, checks of symmetry, prints by percent.

slow: its neighbours of the same kind are in the fast set
"""

import sys
import time
from collections import defaultdict
from functools import lru_cache, partial

TIMINGS = defaultdict(list)
report = partial(print, file=sys.stderr, flush=True)


def bar(done, total, width=40):
    filled = int(width * done / total)
    sys.stdout.write("\r[" + "=" * filled + " " * (width - filled) + f"] {100 * done / total:5.1f} %")
    sys.stdout.flush()


@lru_cache(maxsize=None)
def pairs(n):
    return [(i, j) for i in range(n) for j in range(i, n)]


def matmul_transpose_trivial(X):
    t0 = time.perf_counter()
    n, m = X.shape
    C = np.zeros((n, n))
    for number, (i, j) in enumerate(pairs(n)):
        if number % 10000 == 0:
            bar(number, n * (n + 1) // 2)
        total = 0
        for k in range(m):
            total += X[i, k] * X[j, k]
        C[i, j] = C[j, i] = total
    bar(1, 1)
    print()
    TIMINGS["trivial"].append(time.perf_counter() - t0)
    report(f"trivial: {TIMINGS['trivial'][-1]:.3f} s")
    assert all(C[i, j] == C[j, i] for i, j in pairs(n))
    return C


def matmul_transpose_gpu(X):
    t0 = time.perf_counter()
    dX = cuda.to_device(np.ascontiguousarray(X))
    dC = cuda.device_array((X.shape[0],) * 2)
    TIMINGS["copy"].append(time.perf_counter() - t0)
    t0 = time.perf_counter()
    matmul_kernel[1, 1024](dX, dC)
    cuda.synchronize()
    TIMINGS["kernel"].append(time.perf_counter() - t0)
    C = dC.copy_to_host()
    report("gpu:", *(f"{name} {min(times):.4f}" for name, times in TIMINGS.items()))
    return C
