"""Mistakes in `matrix.py`, and what each costs."""

# %% allocate_says_nothing
"""`allocate` forgets that the newest numbers will be on the device.

failed: matrix.values
"""
class Matrix:
    def allocate(self):
        if self.device is None:
            self.device = cuda.device_array(self.shape, np.float64)
        return self.device

# %% begins_with_ones
"""A new matrix holds ones.

failed: matrix.values
"""
class Matrix:
    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"{rows} x {columns}")
        self.shape = (rows, columns)
        self.host = np.ones(self.shape)
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

# %% copies_in_advance
"""`set` copies to the device at once, whether somebody will ask or not.

failed: matrix.copies
"""
class Matrix:
    def set(self, values):
        values = np.array(values, dtype=np.float64)
        if values.shape != self.shape:
            raise ValueError(f"{values.shape}")
        self.host = values
        self.device = cuda.to_device(values)
        self.is_new_on_host, self.is_new_on_device = True, True

# %% copies_to_device_every_time
"""Every question copies to the device.

failed: matrix.copies
"""
class Matrix:
    def copy_to_device(self):
        if self.is_new_on_host:
            self.device = cuda.to_device(self.host)
        self.is_new_on_device = True
        return self.device

# %% copies_to_host_every_time
"""Every question copies to the host.

failed: matrix.copies
"""
class Matrix:
    def copy_to_host(self):
        if self.is_new_on_device:
            self.host = self.device.copy_to_host()
            self.is_new_on_host = True
        return self.host

# %% device_copy_is_stale
"""What was on the device once is never renewed.

failed: matrix.values
"""
class Matrix:
    def copy_to_device(self):
        if self.device is None:
            self.device = cuda.to_device(self.host)
        return self.device

# %% host_copy_is_stale
"""The host never asks the device again: results of kernels stay there.

failed: matrix.values
"""
class Matrix:
    def copy_to_host(self):
        return self.host

# %% no_rows_are_allowed
"""A matrix of no rows is made.

failed: matrix.shapes
"""
class Matrix:
    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.host = np.zeros((max(rows, 0), max(columns, 0)))
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

# %% set_broadcasts
"""`set` writes into its array, and NumPy repeats one row for all.

failed: matrix.shapes
"""
class Matrix:
    def set(self, values):
        self.copy_to_host()
        self.host = self.host.copy()
        self.host[:] = values
        self.is_new_on_host, self.is_new_on_device = True, False

# %% set_takes_any_shape
"""`set` does not look at the shape.

failed: matrix.shapes
"""
class Matrix:
    def set(self, values):
        self.host = np.array(values, dtype=np.float64)
        self.is_new_on_host, self.is_new_on_device = True, False
