"""The CPU path in loops that Numba compiles.
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
            Z.set(add_up(self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()))
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z


@njit
def add_up(W, A, b):
    Z = np.zeros((W.shape[0], A.shape[1]))
    for i in range(W.shape[0]):
        for j in range(A.shape[1]):
            total = b[i, 0]
            for k in range(W.shape[1]):
                total += W[i, k] * A[k, j]
            Z[i, j] = total
    return Z
