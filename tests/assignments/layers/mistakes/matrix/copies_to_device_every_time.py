"""Every question copies to the device.

failed: matrix.copies
"""


class Matrix:
    def copy_to_device(self):
        if self.is_new_on_host:
            self.device = cuda.to_device(self.host)
        self.is_new_on_device = True
        return self.device
