# %% last_matrix_alone
"""The CPU path keeps the last matrix in the place of the total.

failed: total.cpu
"""


class Total:
    def add(self, A, cpu_only):
        if cpu_only:
            self.host = A.copy()
        else:
            add_kernel[A.shape[0], A.shape[1]](self.device, cuda.to_device(A))


# %% host_adds
"""The GPU path adds on the host, and copies what comes of it.

failed: total.gpu
"""


class Total:
    def add(self, A, cpu_only):
        self.host += A
        if not cpu_only:
            self.device = cuda.to_device(self.host)
