"""Mistakes in the linear layer.

failed: linear.forward.gpu
"""

# %% forward_cpu_on_the_gpu
"""cpu_only is ignored: kernels run on both paths.

failed: linear.forward.cpu
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        multiply_and_add[tiles(Z.shape), (TILE, TILE)](
            self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
        )
        return Z

# %% forward_cpu_raises
"""The factors are exchanged, which does not fit.

failed: linear.forward.cpu
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(A.copy_to_host() @ self.W.copy_to_host() + self.b.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% forward_cpu_without_bias
"""The bias is missing on the CPU path.

failed: linear.forward.cpu
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% forward_gpu_by_numpy
"""NumPy does the work of the GPU path."""
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

# %% product_in_one_dimension
"""One row of 256 threads for each block of a product.

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
            flat_product[math.ceil(Z.shape[0] * Z.shape[1] / 256), 256](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

@cuda.jit
def flat_product(W, A, b, Z):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        total = b[i, 0]
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total

# %% seed_is_always_the_same
"""The seed is written into the class.

failed: network.repeatable
"""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(0).uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% seed_is_ignored
"""Weights are drawn without the seed.

failed: network.repeatable
"""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% tiles_of_32
"""Blocks have 32 x 32 threads.

failed: linear.launch
"""
TILE = 32

# %% tiles_of_8
"""Blocks have 8 x 8 threads.

failed: linear.launch
"""
TILE = 8

# %% too_many_blocks
"""A fixed grid, larger than any result.

failed: linear.launch
"""
def tiles(shape):
    return 8, 8

# %% update_forgets_the_bias
"""Only W takes a step.

failed: linear.update
"""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW),):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())

# %% update_gpu_by_numpy
"""NumPy does the work of the GPU path.

failed: linear.update
"""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())

# %% update_gpu_without_the_rate
"""The kernel forgets the learning rate.

failed: linear.update
"""
@cuda.jit
def step(old, gradient, learning_rate, new):
    entry = cuda.grid(1)
    if entry < old.size:
        i, j = entry // old.shape[1], entry % old.shape[1]
        new[i, j] = old[i, j] - gradient[i, j]

# %% update_uphill
"""The CPU path goes uphill.

failed: linear.update
"""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() + learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())

# %% weights_are_too_large
"""Weights are normal numbers.

failed: network.repeatable
"""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(seed).normal(size=(outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% weights_are_zeros
"""All weights begin with zero: nothing can be learnt.

failed: network.repeatable
"""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.zeros((outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None
