"""Training whose products are made by a function of the submission's, or by the staff's version of it."""

import importlib
import time

import gpu_parallel
import numpy as np


def trained(here, arrays, settings, spoiler=-1, spoilt=-1):
    """Train with samples and weights that rank 0 has; return what the staff's version multiplied, too.

    On the rank `spoiler`, the product of the staff's version in call `spoilt` is a little too large.
    """
    staffs = getattr(gpu_parallel.multiply_on_gpu, "_told", None)
    if staffs is not None:
        staffs[:] = [spoilt if here.rank == spoiler else -1]
    given = [array.copy() for array in arrays] if here.rank == 0 else (None,) * 4  # a training may change its arguments
    results = gpu_parallel.train(here.comm, *given, *settings)
    factors = (staffs or ())[1:]
    numbers = np.concatenate([np.zeros(0), *(np.ravel(factor) for pair in factors for factor in pair)])
    return {
        "returned": (("theta1", "theta2", "costs"), results),
        "products": [[len(A), *B.shape] for A, B in factors],
        "known": [float(np.isin(array[array != 0], numbers).mean()) for array in (arrays[0], *arrays[2:])],
    }


def timed(here, module, arrays, settings):
    """Return the seconds of a training by `module.train`; all ranks begin together."""
    given = arrays if here.rank == 0 else (None,) * 4
    train = importlib.import_module(module).train
    train(here.comm, *given, *settings)  # compiles the kernels
    here.comm.barrier()
    start = time.perf_counter()
    train(here.comm, *given, *settings)
    return {"seconds": time.perf_counter() - start}
