"""Mistakes in the derivatives of the linear layer on the CPU.

failed: linear.backward.cpu
"""

# %% backward_cpu_adds_up
"""On the CPU, dW and db are added to those of the last batch."""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        if cpu_only:
            m = dZ.shape[1]
            dZ_host = dZ.copy_to_host()
            self.dW.set(self.dW.copy_to_host() + dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(self.db.copy_to_host() + dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](
                dZ_device, self.A.copy_to_device(), self.dW.allocate()
            )
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA

# %% backward_cpu_bias_over_the_wrong_axis
"""db has an entry for each sample."""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        if cpu_only:
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(dZ_host.mean(axis=0, keepdims=True))
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA

# %% backward_cpu_mean_in_all
"""dA is divided by m, too."""
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
            dA.set(self.W.copy_to_host().T @ dZ_host / m)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA

# %% backward_cpu_sum_instead_of_mean
"""dW is the sum over the samples."""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        if cpu_only:
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA
