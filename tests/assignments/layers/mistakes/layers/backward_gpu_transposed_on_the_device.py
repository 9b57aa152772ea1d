"""A kernel writes a transposed copy of A first.

failed: linear.transposes
"""


class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        if cpu_only:
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            turned = cuda.device_array((m, self.A.shape[0]), np.float64)
            turn[tiles(self.A.shape), (TILE, TILE)](self.A.copy_to_device(), turned)
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_by_turned[tiles(self.dW.shape), (TILE, TILE)](dZ_device, turned, self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA


@cuda.jit
def turn(A, turned):
    j, i = cuda.grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        turned[j, i] = A[i, j]


@cuda.jit
def multiply_by_turned(dZ, turned, dW):
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * turned[k, j]
        dW[i, j] = total / dZ.shape[1]
