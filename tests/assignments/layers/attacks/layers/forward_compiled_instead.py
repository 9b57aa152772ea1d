"""Numba on the CPU does the work of the GPU path.

failed: linear.forward.gpu
"""


from numba import njit

class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            Z.set(compiled(self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()))
        return Z


@njit
def compiled(W, A, b):
    return np.dot(W, A) + b
