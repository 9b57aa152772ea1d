"""dW by differences, an entry at a time: exact, because the function is linear.

failed: 
flagged: linear.backward.cpu
"""


class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        if cpu_only:
            dZ_host = dZ.copy_to_host()
            W, A = self.W.copy_to_host(), self.A.copy_to_host()
            slopes = np.zeros(W.shape)
            for i in range(W.shape[0]):
                for k in range(W.shape[1]):
                    shifted = W.copy()
                    shifted[i, k] += 1
                    slopes[i, k] = (dZ_host * (shifted @ A - W @ A)).sum() / m
            self.dW.set(slopes)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA
