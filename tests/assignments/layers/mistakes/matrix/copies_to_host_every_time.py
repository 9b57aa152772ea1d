"""Every question copies to the host.

failed: matrix.copies
"""


class Matrix:
    def copy_to_host(self):
        if self.is_new_on_device:
            self.host = self.device.copy_to_host()
            self.is_new_on_host = True
        return self.host
