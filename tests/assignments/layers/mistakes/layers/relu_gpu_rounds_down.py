"""As many blocks as fit whole: the last entries have no thread.

failed: relu.gpu
"""


class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[Z.shape[0] * Z.shape[1] // THREADS, THREADS](Z.copy_to_device(), A.allocate())
        return A
