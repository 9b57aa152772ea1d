"""A kernel of 16 x 16 threads writes zeros, and one of 256 in a row the answer.

failed: linear.launch
"""


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
            zero[tiles(Z.shape), (TILE, TILE)](Z.allocate())
            flat_product[math.ceil(Z.shape[0] * Z.shape[1] / 256), 256](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z


@cuda.jit
def zero(Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = 0.5


@cuda.jit
def flat_product(W, A, b, Z):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        total = b[i, 0]
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total
