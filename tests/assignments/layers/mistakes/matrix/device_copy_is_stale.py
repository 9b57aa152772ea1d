"""What was on the device once is never renewed.

failed: matrix.values
"""


class Matrix:
    def copy_to_device(self):
        if self.device is None:
            self.device = cuda.to_device(self.host)
        return self.device
