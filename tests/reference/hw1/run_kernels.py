"""Run the reference's kernels over many shapes and print, as JSON, what came out; started on a CUDA executor.

Usage: run_kernels.py FOLDER. Prints {"max": {shape: is right}, "matmul": {shape: largest error}}.
"""

import importlib
import json
import sys

import numpy as np

MAX_SHAPES = [(1, 1), (1000, 1000), (1, 5), (3, 1), (1001, 17), (17, 1003), (2003, 1), (1, 2500), (0, 4), (4, 0)]
MATMUL_SHAPES = [(1, 1), (784, 128), (1, 200), (200, 1), (31, 31), (32, 32), (33, 33), (65, 1), (100, 33), (3, 0)]
MATMUL_SHAPES += [(63, 31), (64, 64), (65, 97), (33, 7), (257, 33), (1100, 3)]  # around tiles and slices of 32


def take_maxima(max_gpu, rng):
    right = {}
    for rows, columns in MAX_SHAPES:
        A, B = rng.integers(0, 256, (2, rows, columns))  # noqa: N806 (the sheet's names)
        C = max_gpu(A, B)  # noqa: N806 (the sheet's name)
        same = np.array_equal(C, np.maximum(A, B))
        right[f"{rows}x{columns}"] = type(C) is np.ndarray and C.dtype == A.dtype and same
    return right


def take_errors(matmul_transpose_gpu, rng):
    errors = {}
    for n, m in MATMUL_SHAPES:
        X = rng.normal(size=(n, m))  # noqa: N806 (the sheet's name)
        C = matmul_transpose_gpu(X)  # noqa: N806 (the sheet's name)
        fits = type(C) is np.ndarray and C.dtype == np.float64 and C.shape == (n, n)
        errors[f"{n}x{m}"] = float(np.abs(C - X @ X.T).max()) if fits else float("nan")
    return errors


def main():
    sys.path.insert(0, sys.argv[1])
    max_functions, matmul_functions = map(importlib.import_module, ("max_functions", "matmul_functions"))
    rng = np.random.default_rng(6)
    found = {
        "max": take_maxima(max_functions.max_gpu, rng),
        "matmul": take_errors(matmul_functions.matmul_transpose_gpu, rng),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
