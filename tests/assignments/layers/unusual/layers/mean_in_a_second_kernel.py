"""dW is summed by one kernel and divided by another.
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
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            sum_products[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            divide[blocks(self.dW.shape), THREADS](self.dW.copy_to_device(), m)
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA


@cuda.jit
def sum_products(dZ, A, dW):
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * A[j, k]
        dW[i, j] = total


@cuda.jit
def divide(dW, m):
    entry = cuda.grid(1)
    if entry < dW.size:
        dW[entry // dW.shape[1], entry % dW.shape[1]] /= m
