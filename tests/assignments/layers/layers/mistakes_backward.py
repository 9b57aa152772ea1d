"""Mistakes in the derivatives of the linear layer.

failed: linear.backward.gpu
"""

# %% backward_gpu_bias_adds_up
"""db is added up by atomics, in memory that is zero for the first batch only."""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        if cpu_only:
            m = dZ.shape[1]
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](
                dZ_device, self.A.copy_to_device(), self.dW.allocate()
            )
            self.db.copy_to_device()
            average_rows[blocks(dZ.shape), THREADS](dZ_device, self.db.allocate())
        return dA

@cuda.jit
def average_rows(dZ, db):
    entry = cuda.grid(1)
    if entry < dZ.size:
        i, j = entry // dZ.shape[1], entry % dZ.shape[1]
        cuda.atomic.add(db, (i, 0), dZ[i, j] / dZ.shape[1])

# %% backward_gpu_bias_by_numpy
"""The products are those of kernels, the bias is not."""
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
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            self.db.set(dZ.copy_to_host().mean(axis=1, keepdims=True))
        return dA

# %% backward_gpu_bias_of_the_first_sample
"""db is the first column."""
@cuda.jit
def average_rows(dZ, db):
    i = cuda.grid(1)
    if i < db.shape[0]:
        db[i, 0] = dZ[i, 0]

# %% backward_gpu_by_numpy
"""NumPy does the work of the GPU path.

failed: linear.backward.gpu linear.transposes
"""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        dZ_host = dZ.copy_to_host()
        self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
        self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
        dA.set(self.W.copy_to_host().T @ dZ_host)
        return dA

# %% backward_gpu_sum_instead_of_mean
"""The kernel forgets to divide by m."""
@cuda.jit
def multiply_transposed_right(dZ, A, dW):
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * A[j, k]
        dW[i, j] = total

# %% backward_gpu_transposed_by_numpy
"""A transposed copy of W travels to the device.

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
            transposed = cuda.to_device(np.ascontiguousarray(self.W.copy_to_host().T))
            multiply_two[tiles(dA.shape), (TILE, TILE)](transposed, dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA

@cuda.jit
def multiply_two(X, Y, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = 0.0
        for k in range(X.shape[1]):
            total += X[i, k] * Y[k, j]
        Z[i, j] = total

# %% backward_gpu_transposed_on_the_device
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

# %% gpu_dW_without_transpose
"""On the GPU, dW reads A[k, j] instead of A[j, k]."""
@cuda.jit
def multiply_transposed_right(dZ, A, dW):
    j, i = cuda.grid(2)
    if i < dW.shape[0] and j < dW.shape[1]:
        total = 0.0
        for k in range(dZ.shape[1]):
            total += dZ[i, k] * A[k, j]
        dW[i, j] = total / dZ.shape[1]

# %% forward_gpu_forgets_the_input
"""`Linear.forward` keeps A on the CPU path only."""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"this layer takes {inputs} rows, but A has the shape {A.shape}")
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            self.A = A  # (inputs, m)
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z  # (outputs, m)
