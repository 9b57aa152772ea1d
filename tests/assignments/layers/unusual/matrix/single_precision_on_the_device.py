"""The device holds float32: results are as exact as these.
"""


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
