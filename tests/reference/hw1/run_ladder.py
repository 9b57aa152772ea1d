"""Run every rung of the ladders beside the one below and print, as JSON, how they differ; started on a CUDA executor.

Usage: run_ladder.py FOLDER. Prints {rung: largest difference from the rung below, over all shapes}.
"""

import importlib
import json
import sys
from itertools import pairwise

import numpy as np

MAX_SHAPES = [(1, 1), (1000, 3), (3, 1000), (1001, 17), (17, 1003)]
MATMUL_SHAPES = [(1, 1), (33, 31), (128, 16), (129, 17), (200, 40)]


def run_matmul(kernel, matrix):
    # What a kernel leaves out stays NaN, and NaN differs from everything.
    product = np.full((len(matrix),) * 2, np.nan)
    kernel[1, 1024](matrix, product)
    return product


def run_max(kernel, first, second):
    larger = np.full_like(first, -1)
    kernel[1000, 1000](first, second, larger)
    return larger


def compare(rungs, inputs):
    """Return rung -> the largest difference from the rung below; `rungs` are pairs of name and function."""
    return {
        name: max(float(np.abs(function(*args) - below(*args)).max()) for args in inputs)
        for (_, below), (name, function) in pairwise(rungs)
    }


def main():
    sys.path.insert(0, sys.argv[1])
    ladder = importlib.import_module("ladder")
    rng = np.random.default_rng(6)
    pairs = [tuple(rng.integers(0, 256, (2, *shape))) for shape in MAX_SHAPES]
    matrices = [(rng.normal(size=shape),) for shape in MATMUL_SHAPES]
    of_matmul = ladder.MATMUL_KERNELS
    on_one_block = [(kernel.__name__, lambda x, kernel=kernel: run_matmul(kernel, x)) for kernel in of_matmul]
    by_a_grid = [(kernel.__name__, lambda a, b, kernel=kernel: run_max(kernel, a, b)) for kernel in ladder.MAX_KERNELS]
    copies = [(function.__name__, function) for function in ladder.COPIES]
    found = compare([("ground", ladder.GROUND), on_one_block[0]], [(matrix[:33],) for (matrix,) in matrices])
    found |= compare(on_one_block, matrices)
    found |= compare([copies[0], by_a_grid[0]], pairs)
    found |= compare(by_a_grid, pairs)
    found |= compare(copies, pairs)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
