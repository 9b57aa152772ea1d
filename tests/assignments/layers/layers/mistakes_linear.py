"""Mistakes in the linear layer.

failed: linear.forward.gpu
"""

# %% forward_gpu_by_numpy
"""NumPy does the work of the GPU path."""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        return Z

# %% forward_gpu_grid_for_the_other_direction
"""Rows and columns of the grid are exchanged, so that some entries have no thread."""
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
            multiply_and_add[tiles(Z.shape)[::-1], (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% forward_gpu_last_term_forgotten
"""The sum ends one term too early."""
@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = b[i, 0]
        for k in range(W.shape[1] - 1):
            total += W[i, k] * A[k, j]
        Z[i, j] = total

# %% forward_gpu_rounds_down
"""As many blocks as fit whole: the edge has no threads."""
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
            multiply_and_add[(Z.shape[1] // TILE, Z.shape[0] // TILE), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% forward_gpu_without_bias
"""The kernel forgets the bias."""
@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = 0.0
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total

# %% forward_gpu_without_bounds
"""Threads beyond the edge write, too."""
@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    total = b[i, 0]
    for k in range(W.shape[1]):
        total += W[i, k] * A[k, j]
    Z[i, j] = total

# %% linear_class_removed
"""A part of a hand-in: Linear is missing, and the activations are right.

failed: linear.forward.cpu linear.forward.gpu linear.backward.cpu linear.backward.gpu linear.update linear.launch linear.transposes layers.shapes network.order network.transfers network.repeatable network.accuracy
removes: Linear
skipped: network.speedup
"""

# %% linear_shapes_unchecked
"""Nobody compares the shape of A.

failed: layers.shapes
"""
class Linear:
    def forward(self, A, cpu_only=False):
        self.A = A
        Z = Matrix(self.W.shape[0], A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% linear_without_bounds
"""No thread of a product stops at the edge. Blocks and order are judged with sizes at which that does no harm.

failed: linear.forward.gpu linear.backward.gpu
"""
@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    total = b[i, 0]
    for k in range(W.shape[1]):
        total += W[i, k] * A[k, j]
    Z[i, j] = total

@cuda.jit
def multiply_transposed_left(W, dZ, dA):
    j, i = cuda.grid(2)
    total = 0.0
    for k in range(W.shape[0]):
        total += W[k, i] * dZ[k, j]
    dA[i, j] = total

@cuda.jit
def multiply_transposed_right(dZ, A, dW):
    j, i = cuda.grid(2)
    total = 0.0
    for k in range(dZ.shape[1]):
        total += dZ[i, k] * A[j, k]
    dW[i, j] = total / dZ.shape[1]
