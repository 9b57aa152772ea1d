"""Numba chooses the number of blocks.
"""


class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu.forall(Z.shape[0] * Z.shape[1], 64)(Z.copy_to_device(), A.allocate())
        return A
