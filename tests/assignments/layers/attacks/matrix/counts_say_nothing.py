"""Copies are made by writing into the device array, not by copy_to_device.

failed: matrix.copies
"""


class Matrix:
    def copy_to_device(self):
        newest = self.copy_to_host()
        self.device = cuda.device_array(self.shape, np.float64)
        self.device[:] = newest
        return self.device
