"""What programs share that run kernels of many kinds, on any Numba with a CUDA driver.

They print, as JSON, how each case came out: nothing if all was right, else what was not. A case yields pairs: what a
kernel wrote, and what it had to write.
"""

import json
import sys

import numpy as np
from numba import cuda

CASES = {}
RNG = np.random.default_rng(1)
N = 200


def case(function):
    CASES[function.__name__] = function
    return function


def launch(kernel, *arrays, grid=4, block=64):
    on_gpu = [cuda.to_device(array) if isinstance(array, np.ndarray) else array for array in arrays]
    kernel[grid, block](*on_gpu)
    cuda.synchronize()
    return [array.copy_to_host() if hasattr(array, "copy_to_host") else array for array in on_gpu]


def differ(got, want):
    got, want = np.asarray(got), np.asarray(want)
    return "" if np.array_equal(got, want) else f"{got[got != want][:3]} not {want[got != want][:3]}"


def main():
    verdicts = {}
    for name in sys.argv[1:] or CASES:
        try:
            verdicts[name] = "; ".join(filter(None, (differ(got, want) for got, want in CASES[name]())))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this case's
            verdicts[name] = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    print(json.dumps(verdicts))
