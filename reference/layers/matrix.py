"""A matrix that lives in two memories: the host's (CPU) and the device's (GPU).

Copying between the two costs more than most computations, so a matrix remembers where its newest numbers are, and
copies them only when a caller asks for them on the other side:

    set             the host has the newest numbers
    allocate        a kernel will write the newest numbers on the device
    copy_to_device  both have them
    copy_to_host    both have them
"""

import numpy as np
from numba import cuda


class Matrix:
    """Rows x columns of float64 numbers, zeros at first.

    Attributes:
        shape: pair (rows, columns).
    """

    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"a matrix needs at least one row and one column, not {rows} x {columns}")
        self.shape = (rows, columns)
        self.host = np.zeros(self.shape)  # (rows, columns)
        self.device = None  # memory on the device, when it is first needed
        self.is_new_on_host = True
        self.is_new_on_device = False

    def set(self, values):
        """Take new numbers, an array of this matrix's shape."""
        values = np.array(values, dtype=np.float64)  # a copy: the caller may change theirs
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host = values
        self.is_new_on_host, self.is_new_on_device = True, False

    def allocate(self):
        """Return the device's memory for a kernel to write all of it; nothing is copied."""
        if self.device is None:
            self.device = cuda.device_array(self.shape, np.float64)
        self.is_new_on_host, self.is_new_on_device = False, True
        return self.device  # (rows, columns)

    def copy_to_device(self):
        """Return the newest numbers as an array of the device; they are copied only if they are not there yet."""
        if not self.is_new_on_device:
            self.device = cuda.to_device(self.host)
            self.is_new_on_device = True
        return self.device  # (rows, columns)

    def copy_to_host(self):
        """Return the newest numbers as a NumPy array; they are copied only if they are not there yet."""
        if not self.is_new_on_host:
            self.host = self.device.copy_to_host()
            self.is_new_on_host = True
        return self.host  # (rows, columns)
