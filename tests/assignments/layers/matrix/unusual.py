"""`matrix.py` written in unusual ways, and right."""

# %% matrix_operators
"""Matrix has operators and a static maker, and the CPU path of `update` uses them."""
class Matrix:
    @staticmethod
    def of(values):
        """Return a matrix of these numbers."""
        made = Matrix(*values.shape)
        made.set(values)
        return made

    def __matmul__(self, other):
        return Matrix.of(self.copy_to_host() @ other.copy_to_host())

    def __mul__(self, number):
        return Matrix.of(self.copy_to_host() * number)

    __rmul__ = __mul__

    def __isub__(self, other):
        self.set(self.copy_to_host() - other.copy_to_host())
        return self

    def __repr__(self):
        return f"Matrix({self.shape[0]} x {self.shape[1]})"

# %% memory_is_reserved_at_once
"""Both memories are there from the beginning, and copies go into them."""
class Matrix:
    def __init__(self, rows, columns):
        if rows <= 0 or columns <= 0:
            raise ValueError(f"{rows} x {columns}")
        self.rows, self.columns = rows, columns
        self.host = np.zeros((rows, columns))
        self.device = cuda.device_array((rows, columns), np.float64)
        self.newest = "host"

    @property
    def shape(self):
        return (self.rows, self.columns)

    def set(self, values):
        if np.shape(values) != self.shape:
            raise ValueError(f"{np.shape(values)} is not {self.shape}")
        self.host = np.array(values, dtype=np.float64)
        self.newest = "host"

    def allocate(self):
        self.newest = "device"
        return self.device

    def copy_to_device(self):
        if self.newest == "host":
            self.device = cuda.device_array(self.shape, np.float64)
            self.device.copy_to_device(self.host)
            self.newest = "both"
        return self.device

    def copy_to_host(self):
        if self.newest == "device":
            self.host = np.empty(self.shape)
            self.device.copy_to_host(self.host)
            self.newest = "both"
        return self.host

# %% operators_of_every_kind
"""Matrices have operators, in place, reflected and unary ones too, and numbers of the type that the dtype names."""
class Matrix:
    __array_priority__ = 1000

    def set(self, values):
        values = np.array(values, dtype=self.host.dtype.type)
        if values.shape != self.shape:
            raise ValueError(f"{values.shape} is not {self.shape}")
        self.host = values
        self.is_new_on_host, self.is_new_on_device = True, False

    def made(self, values):
        other = self.__class__(*np.shape(values))
        other.set(values)
        return other

    def __isub__(self, other):
        self.set(self.copy_to_host() - (other.copy_to_host() if isinstance(other, Matrix) else other))
        return self

    def __imul__(self, factor):
        self.set(self.copy_to_host() * factor)
        return self

    def __matmul__(self, other):
        return self.made(self.copy_to_host() @ other.copy_to_host())

    def __rmul__(self, factor):
        return self.made(factor * self.copy_to_host())

    def __neg__(self):
        return self.made(-self.copy_to_host())

    def __rtruediv__(self, number):
        return self.made(number / self.copy_to_host())

# %% private_fields_and_helpers
"""Private fields and helpers are called as NumPy, Numba, logging and the grader call theirs."""
class Matrix:
    _made_from = 0

    def __init__(self, rows, columns):
        self.__initialize(rows, columns)
        self._record = (rows, columns)
        self._view, self._owner = np.zeros(self._record), None
        self._on_host, self._on_device = True, False
        Matrix._made_from += 1
        setattr(self, '_' + 'real', hasattr(self, '_view'))

    @staticmethod
    def __initialize(rows, columns):
        if min(rows, columns) <= 0:
            raise ValueError(f"{rows} x {columns}")

    @property
    def shape(self):
        return self._record

    def _log(self, values):
        if np.shape(values) != self._record:
            raise ValueError(f"{np.shape(values)} is not {self._record}")

    def set(self, values):
        self._log(values)
        self._view = np.array(values, dtype=np.float64)
        self._on_host, self._on_device = True, False

    def allocate(self):
        if self._real and self._owner is None:
            self._owner = cuda.device_array(self._record, np.float64)
        self._on_host, self._on_device = False, True
        return self._owner

    def copy_to_device(self):
        if not self._on_device:
            self._owner = cuda.to_device(self._view)
            self._on_device = True
        return self._owner

    def copy_to_host(self):
        if not self._on_host:
            self._view = self._owner.copy_to_host()
            self._on_host = True
        return self._view

# %% set_writes_into_its_own_array
"""The host's memory is made once: `set` copies into it, and `copy_to_host` hands it out."""
class Matrix:
    def set(self, values):
        values = np.asarray(values, dtype=np.float64)
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host[:] = values
        self.is_new_on_host, self.is_new_on_device = True, False

# %% single_precision_on_the_device
"""The device holds float32: results are as exact as these."""
class Matrix:
    def allocate(self):
        if self.device is None:
            self.device = cuda.device_array(self.shape, np.float32)
        self.is_new_on_host, self.is_new_on_device = False, True
        return self.device

    def copy_to_device(self):
        if not self.is_new_on_device:
            self.device = cuda.to_device(self.host.astype(np.float32))
            self.is_new_on_device = True
        return self.device

    def copy_to_host(self):
        if not self.is_new_on_host:
            self.host = self.device.copy_to_host().astype(np.float64)
            self.is_new_on_host = True
        return self.host
