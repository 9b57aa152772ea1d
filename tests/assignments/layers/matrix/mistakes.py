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
        """Take new numbers, an array of this matrix's shape."""
        values = np.array(values, dtype=np.float64)  # a copy: the caller may change theirs
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host = values
        self.is_new_on_device = False  # forgotten: is_new_on_host = True

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

# %% own_matrix_methods_and_stale_copy
"""copy_to_host copies whenever there is a device array; layers.py uses a further method of Matrix.

failed: matrix.copies
"""
class Matrix:
    __slots__ = ("_shape", "_h", "_d", "_hv", "_dv")

    def __init__(self, rows, columns):
        if not (rows >= 1 and columns >= 1):
            raise ValueError("Matrix(%d, %d) is empty" % (rows, columns))
        self._shape = (int(rows), int(columns))
        self._h = np.zeros(self._shape)
        self._d = None
        self._hv, self._dv = 1, 0  # the larger version is the newer one

    shape = property(lambda self: self._shape)

    def __repr__(self):
        return f"Matrix{self._shape}"

    @classmethod
    def of(cls, values):
        new = cls(*values.shape)
        new.set(values)
        return new

    def set(self, values):
        if np.shape(values) != self._shape:
            raise ValueError("wanted shape %s, got %s" % (self._shape, np.shape(values)))
        self._h = np.array(values, dtype="float64", order="C")
        self._hv = max(self._hv, self._dv) + 1

    def allocate(self):
        if self._d is None:
            self._d = cuda.device_array(self._shape, dtype=np.float64)
        self._dv = max(self._hv, self._dv) + 1
        return self._d

    def copy_to_device(self):
        if self._hv > self._dv:
            self._d = cuda.to_device(self._h)
            self._dv = self._hv
        return self._d

    def copy_to_host(self):
        if self._d is not None and self._dv != 0:
            self._h = self._d.copy_to_host()
        return self._h

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
