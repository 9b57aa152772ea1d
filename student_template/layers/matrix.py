"""A matrix on host and device. Yours to fill in; README.md says what each method does."""

import numpy as np  # noqa: F401 (for your Matrix)
from numba import cuda  # noqa: F401 (the same)


class Matrix:
    """Rows x columns of float64 numbers, zeros at first."""

    def __init__(self, rows, columns):
        raise NotImplementedError("matrix.py: fill in Matrix.__init__, which keeps the shape and zeros on the host")

    def set(self, values):
        """Take new numbers, an array of this matrix's shape."""
        raise NotImplementedError("matrix.py: fill in Matrix.set")

    def allocate(self):
        """Return the device's memory for a kernel to fill; nothing is copied."""
        raise NotImplementedError("matrix.py: fill in Matrix.allocate: cuda.device_array makes it, once")

    def copy_to_device(self):
        """Return the newest numbers as an array of the device; copy them only if they are not there."""
        raise NotImplementedError("matrix.py: fill in Matrix.copy_to_device: cuda.to_device copies")

    def copy_to_host(self):
        """Return the newest numbers as a NumPy array; copy them only if they are not there."""
        raise NotImplementedError("matrix.py: fill in Matrix.copy_to_host: an array of the device has a method for it")
