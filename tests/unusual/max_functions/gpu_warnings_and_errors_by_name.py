"""Numba's warnings are turned off by their names, and errors of the driver are caught by theirs.

slow: its neighbours of the same kind are in the fast set
"""

import warnings

from numba.core.errors import NumbaPerformanceWarning
from numba.cuda.cudadrv.driver import CudaAPIError
from numba.cuda.cudadrv.error import CudaSupportError

warnings.simplefilter("error")
warnings.simplefilter("ignore", category=NumbaPerformanceWarning)


def max_gpu(A, B):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaPerformanceWarning)
        try:
            d_C = cuda.device_array_like(A)
            max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
            return d_C.copy_to_host()
        except CudaAPIError as error:
            print("the launch failed:", error)
            raise
        except CudaSupportError:
            print("there is no GPU")
            raise
