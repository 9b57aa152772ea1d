"""e^Z instead of e^-Z.

failed: sigmoid.cpu
"""


class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(Z.copy_to_host())))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A
