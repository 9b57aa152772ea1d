"""Mistakes in the activations.

failed: relu.cpu
"""

# %% activation_shapes_unchecked
"""Nobody compares the shape of dA.

failed: layers.shapes
"""
def expect_shape(dA, last):
    pass

# %% activation_without_update
"""ReLU has no `update` that knows the path, so that no training gets through.

failed: network.accuracy network.amdahl
skipped: network.speedup
says: update
"""
class ReLU:
    def update(self, learning_rate):
        """Do nothing."""

# %% activations_of_256_threads
"""Blocks have 256 threads.

failed: activations.launch
"""
THREADS = 256

# %% activations_of_too_many_blocks
"""A block for each entry.

failed: activations.launch
"""
def blocks(shape):
    return shape[0] * shape[1]

# %% activations_without_bounds
"""No thread of an activation stops at the edge. Blocks are judged with sizes at which that does no harm.

failed: relu.gpu sigmoid.gpu
"""
@cuda.jit
def relu(Z, A):
    entry = cuda.grid(1)
    i, j = entry // Z.shape[1], entry % Z.shape[1]
    A[i, j] = max(0.0, Z[i, j])

@cuda.jit
def sigmoid(Z, A):
    entry = cuda.grid(1)
    i, j = entry // Z.shape[1], entry % Z.shape[1]
    A[i, j] = 1.0 / (1.0 + math.exp(-Z[i, j]))

# %% relu_cpu_is_the_absolute_value
"""|Z| instead of max(0, Z)."""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.abs(Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% relu_cpu_slope_of_dA
"""The slope is taken where dA is positive."""
class ReLU:
    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (dA.copy_to_host() > 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% relu_remembers_for_all
"""What one object saw is what all saw last."""
class ReLU:
    last = []

    def forward(self, Z, cpu_only=False):
        self.last.clear()
        self.last.append(Z)
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        Z = self.last[-1] if self.last else None
        expect_shape(dA, Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (Z.copy_to_host() > 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% relu_slope_at_zero
"""The slope of ReLU at 0 is 1.

failed: relu.cpu relu.gpu
"""
class ReLU:
    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (self.Z.copy_to_host() >= 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ  # shape of Z

@cuda.jit
def relu_backward(Z, dA, dZ):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        dZ[i, j] = dA[i, j] if Z[i, j] >= 0 else 0.0

# %% sigmoid_cpu_is_tanh
"""Another function of a like shape.

failed: sigmoid.cpu
"""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.tanh(Z.copy_to_host()))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% sigmoid_cpu_with_the_wrong_sign
"""e^Z instead of e^-Z.

failed: sigmoid.cpu
"""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(Z.copy_to_host())))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% sigmoid_gpu_slope_as_in_the_text
"""The text lost a minus: sigma times 1 sigma.

failed: sigmoid.gpu
"""
@cuda.jit
def sigmoid_backward(A, dA, dZ):
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dZ[i, j] = dA[i, j] * A[i, j] * (1 * A[i, j])
