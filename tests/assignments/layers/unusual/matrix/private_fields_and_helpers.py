"""Fields and helpers that nobody else is to use begin with an underscore, and the cache is one of them.
"""


class Matrix:
    _count = 0

    def __init__(self, rows, columns):
        self.__check_size(rows, columns)
        self._shape = (rows, columns)
        self._host, self._device = np.zeros(self._shape), None
        self._host_is_valid, self._device_is_valid = True, False
        Matrix._count += 1

    @staticmethod
    def __check_size(rows, columns):
        if min(rows, columns) <= 0:
            raise ValueError(f"{rows} x {columns}")

    @property
    def shape(self):
        return self._shape

    def _check(self, values):
        if np.shape(values) != self._shape:
            raise ValueError(f"{np.shape(values)} is not {self._shape}")

    def set(self, values):
        self._check(values)
        self._host = np.array(values, dtype=np.float64)
        self._host_is_valid, self._device_is_valid = True, False

    def allocate(self):
        if self._device is None:
            self._device = cuda.device_array(self._shape, np.float64)
        self._host_is_valid, self._device_is_valid = False, True
        return self._device

    def copy_to_device(self):
        if not self._device_is_valid:
            self._device = cuda.to_device(self._host)
            self._device_is_valid = True
        return self._device

    def copy_to_host(self):
        if not self._host_is_valid:
            self._host = self._device.copy_to_host()
            self._host_is_valid = True
        return self._host
