"""The file adds its own folder to the path, so that it finds the others, and reads its name and its docstring.

opened: max.cpu.trivial max.gpu.correct max.gpu.launch max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

import utils

TITLE = f"{Path(__file__).stem} ({__name__}): {(__doc__ or '').strip().splitlines()[:1]}"


def max_cpu(A, B):
    print(TITLE)
    rows = []
    for a, b in utils.create_batches(A, B, 1):
        rows.append([x if x > y else y for x, y in zip(a[0], b[0])])
    return np.array(rows)


def max_gpu(A, B):
    print(TITLE, file=sys.stderr)
    (C,) = utils.zeros_weights(A.shape)
    C = C.astype(A.dtype)
    d_A, d_B, d_C = cuda.to_device(A), cuda.to_device(B), cuda.to_device(C)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    d_C.copy_to_host(C)
    return C
