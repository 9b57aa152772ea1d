"""Copies between host and device that are too many, or missing.

failed: matrix.copies
"""

# %% copies_in_advance
"""`set` copies to the device at once, whether somebody will ask or not."""
class Matrix:
    def set(self, values):
        values = np.array(values, dtype=np.float64)
        if values.shape != self.shape:
            raise ValueError(f"{values.shape}")
        self.host = values
        self.device = cuda.to_device(values)
        self.is_new_on_host, self.is_new_on_device = True, True

# %% copies_to_device_every_time
"""Every question copies to the device."""
class Matrix:
    def copy_to_device(self):
        if self.is_new_on_host:
            self.device = cuda.to_device(self.host)
        self.is_new_on_device = True
        return self.device

# %% copies_and_has_properties
"""copy_to_device copies every time; layers.py reads further properties of Matrix, which read its private field."""
class Matrix:
    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"a matrix needs at least one row and one column, not {rows} x {columns}")
        self._size = rows, columns
        self.host = np.zeros(self.shape)
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

    shape = property(lambda self: self._size)
    rows = property(lambda self: self._size[0])

    def copy_to_device(self):
        if self.is_new_on_host:
            self.device = cuda.to_device(self.host)
        self.is_new_on_device = True
        return self.device

# %% own_matrix_methods_and_stale_copy
"""copy_to_host copies whenever there is a device array; layers.py uses a further method of Matrix."""
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
