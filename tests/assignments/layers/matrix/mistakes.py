"""Mistakes in `matrix.py`, and what each costs.

failed: matrix.values
"""

# %% allocate_says_nothing
"""`allocate` forgets that the newest numbers will be on the device."""
class Matrix:
    def allocate(self):
        if self.device is None:
            self.device = cuda.device_array(self.shape, np.float64)
        return self.device

# %% begins_with_ones
"""A new matrix holds ones."""
class Matrix:
    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"{rows} x {columns}")
        self.shape = (rows, columns)
        self.host = np.ones(self.shape)
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

# %% device_copy_is_stale
"""What was on the device once is never renewed."""
class Matrix:
    def copy_to_device(self):
        if self.device is None:
            self.device = cuda.to_device(self.host)
        return self.device

# %% host_copy_is_stale
"""The host never asks the device again: results of kernels stay there."""
class Matrix:
    def copy_to_host(self):
        return self.host

# %% matrix_host_stale_after_set
"""After a kernel wrote and `set` was called, copy_to_host brings back the old numbers of the device."""
class Matrix:
    def set(self, values):
        values = np.array(values, dtype=np.float64)  # a copy: the caller may change theirs
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host = values
        self.is_new_on_device = False  # forgotten: is_new_on_host = True

# %% matrix_of_exchanged_shape
"""Rows and columns are exchanged in a new matrix."""
class Matrix:
    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"{rows} x {columns}")
        self.shape = (columns, rows)
        self.host = np.zeros(self.shape)
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

# %% matrix_of_float32
"""Numbers are kept in float32, where the 1e-12 of the losses is lost.

failed: loss.extremes
"""
class Matrix:
    def set(self, values):
        values = np.array(values, dtype=np.float32)
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host = values
        self.is_new_on_host, self.is_new_on_device = True, False
