"""Runs kernels in numba's CUDA simulator: one JSON request per line on stdin, one JSON answer per line on stdout."""

import json
import os
import sys

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy as np
from numba import cuda, float64


def run(request):
    namespace = {"cuda": cuda, "float64": float64, "np": np}
    exec(request["source"], namespace)
    arrays = [np.array(values, dtype) for dtype, values in request["arrays"]]
    cuda.jit(namespace["kernel"])[tuple(request["grid"]), tuple(request["block"])](*arrays)
    return [array.tolist() for array in arrays]


for line in sys.stdin:
    sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
    sys.stdout.flush()
