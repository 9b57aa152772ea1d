"""`allocate` forgets that the newest numbers will be on the device.

failed: matrix.values
"""


class Matrix:
    def allocate(self):
        if self.device is None:
            self.device = cuda.device_array(self.shape, np.float64)
        return self.device
