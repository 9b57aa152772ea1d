"""Mistakes on the linear layer's way forward on the CPU.

failed: linear.forward.cpu
"""

# %% forward_cpu_on_the_gpu
"""cpu_only is ignored: kernels run on both paths."""
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
"""The factors are exchanged, which does not fit."""
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

# %% properties_without_setters_and_no_bias
"""W and b are properties that are only read, and the bias is forgotten on the CPU."""
class Linear:
    W = property(lambda self: self.parameters[0])
    b = property(lambda self: self.parameters[1])

    def __init__(self, inputs, outputs, seed=0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"{inputs} inputs and {outputs} outputs")
        bound = 1 / np.sqrt(inputs)
        self.parameters = Matrix(outputs, inputs), Matrix(outputs, 1)
        self.W.set(np.random.default_rng(seed).uniform(-bound, bound, (outputs, inputs)))
        self.dW, self.db = Matrix(outputs, inputs), Matrix(outputs, 1)
        self.A = None

    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host())
        else:
            W, b = self.W.copy_to_device(), self.b.copy_to_device()
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](W, A.copy_to_device(), b, Z.allocate())
        return Z
