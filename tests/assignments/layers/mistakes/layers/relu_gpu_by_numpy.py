"""NumPy does the work of the GPU path.

failed: relu.gpu
"""


class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            A.set(np.maximum(0, Z.copy_to_host()))
        return A
