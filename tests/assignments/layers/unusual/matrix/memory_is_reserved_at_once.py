"""Both memories are there from the beginning, and copies go into them.
"""


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
