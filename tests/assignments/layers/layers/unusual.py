"""`layers.py` written in unusual ways, and right."""

# %% bias_by_atomics
"""The gradient of the bias by atomic additions, into memory that is set to zero first."""
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
            db = self.db.allocate()
            clear[1, THREADS](db)
            add_rows[blocks(dZ.shape), THREADS](dZ_device, db)
        return dA

@cuda.jit
def clear(db):
    for i in range(cuda.threadIdx.x, db.shape[0], cuda.blockDim.x):
        db[i, 0] = 0.0

@cuda.jit
def add_rows(dZ, db):
    entry = cuda.grid(1)
    if entry < dZ.size:
        i, j = entry // dZ.shape[1], entry % dZ.shape[1]
        cuda.atomic.add(db, (i, 0), dZ[i, j] / dZ.shape[1])

# %% bias_in_a_kernel_of_its_own
"""Product and bias are two kernels."""
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
            multiply[tiles(Z.shape), (TILE, TILE)](self.W.copy_to_device(), A.copy_to_device(), Z.allocate())
            add_bias[blocks(Z.shape), THREADS](Z.copy_to_device(), self.b.copy_to_device())
        return Z

@cuda.jit
def multiply(W, A, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = 0.0
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total

@cuda.jit
def add_bias(Z, b):
    entry = cuda.grid(1)
    if entry < Z.size:
        Z[entry // Z.shape[1], entry % Z.shape[1]] += b[entry // Z.shape[1], 0]

# %% device_functions
"""A kernel calls functions of the device."""
@cuda.jit(device=True)
def logistic(z):
    return 1.0 / (1.0 + math.exp(-z))

@cuda.jit
def sigmoid(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = logistic(Z[i, j])

# %% fields_by_computed_names
"""A step goes through the names of the parameters, and asks for these and their slopes by name."""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for name in ("W", "b"):
            p, slope = getattr(self, name), getattr(self, f"d{name}")
            if cpu_only:
                p.set(p.copy_to_host() - learning_rate * slope.copy_to_host())
            else:
                old = p.copy_to_device()
                step[blocks(p.shape), THREADS](old, slope.copy_to_device(), learning_rate, p.allocate())
            setattr(self, name, p)

# %% fields_of_every_name
"""Layers have fields type, parent and base, methods call and compile, and parameters in a named tuple."""
import sys
from collections import namedtuple
Pair = namedtuple("Pair", ("value", "slope"))

class Linear:
    type = "linear"
    parent = None

    def parameters(self):
        self.base = Pair(self.W, self.dW), Pair(value=self.b, slope=self.db)
        return self.base

    def update(self, learning_rate, cpu_only=False):
        if "--verbose" in sys.argv:
            print(self.type, self.parent)
        for parameter in self.parameters():
            self.call(parameter, learning_rate, cpu_only)

    def call(self, parameter, learning_rate, cpu_only):
        old, slope = parameter.value, parameter._replace(value=None).slope
        if cpu_only:
            old.set(old.copy_to_host() - learning_rate * slope.copy_to_host())
        else:
            device = old.copy_to_device()
            step[blocks(old.shape), THREADS](device, slope.copy_to_device(), learning_rate, old.allocate())

class ReLU:
    type = "relu"

    def forward(self, Z, cpu_only=False):
        self.Z, self.handle = Z, self.type
        return self.compile(Z, cpu_only)

    def compile(self, Z, cpu_only):
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% forward_by_dots
"""On the CPU, each entry of Z is a product of two vectors by NumPy."""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            W, columns, b = self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()
            sums = np.zeros(Z.shape)
            for i in range(Z.shape[0]):
                for j in range(Z.shape[1]):
                    sums[i, j] = np.dot(W[i], columns[:, j]) + b[i, 0]
            Z.set(sums)
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% grid_stride_loops
"""Kernels that would be right with any number of blocks."""
@cuda.jit
def relu(Z, A):
    start = cuda.grid(1)
    for entry in range(start, Z.size, cuda.gridsize(1)):
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = max(0.0, Z[i, j])

# %% kernels_with_signatures
"""Kernels are compiled when the file is imported."""
@cuda.jit("void(float64[:, :], float64[:, :])")
def relu(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = max(0.0, Z[i, j])

# %% layers_have_a_type
"""Each layer has a field `type`; `forward` lists them, and `train` updates those whose type is 'linear'."""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"a layer needs inputs and outputs, not {inputs} and {outputs}")
        self.type = "linear"
        bound = 1 / np.sqrt(inputs)  # so that Z is about as large as A
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(seed).uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None  # the input of the last forward: backward needs it

class ReLU:
    type = "relu"

class Sigmoid:
    type = "sigmoid"

# %% linear_compiled
"""The CPU path in loops that Numba compiles."""
from numba import njit
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(add_up(self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()))
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

@njit
def add_up(W, A, b):
    Z = np.zeros((W.shape[0], A.shape[1]))
    for i in range(W.shape[0]):
        for j in range(A.shape[1]):
            Z[i, j] = b[i, 0]
            for k in range(W.shape[1]):
                Z[i, j] += W[i, k] * A[k, j]
    return Z

# %% linear_in_plain_loops
"""The CPU path in loops of plain Python."""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(add_up(self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()))
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

def add_up(W, A, b):
    Z = np.zeros((W.shape[0], A.shape[1]))
    for i in range(W.shape[0]):
        for j in range(A.shape[1]):
            Z[i, j] = b[i, 0]
            for k in range(W.shape[1]):
                Z[i, j] += W[i, k] * A[k, j]
    return Z

# %% linear_keeps_buffers
"""Results lie in Matrices that are kept for the next call; gradients are new in each call; the seed has its name."""
class Linear:
    """Keeps a dictionary of Matrices."""

    def __init__(self, inputs: int, outputs: int, seed: int = 0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"inputs {inputs}, outputs {outputs}")
        rng = np.random.default_rng(seed=seed)
        scale = inputs ** -0.5
        self.W = Matrix(outputs, inputs)
        self.W.set(scale * (2.0 * rng.random((outputs, inputs)) - 1.0))
        self.b = Matrix(outputs, 1)
        self.dW = self.db = self.A = None
        self._kept = {}

    def _buffer(self, name, shape):
        key = (name, *shape)
        if key not in self._kept:
            self._kept[key] = Matrix(*shape)
        return self._kept[key]

    def forward(self, A, cpu_only=False):
        if A.shape[0] != self.W.shape[1]:
            raise ValueError(f"W {self.W.shape} A {A.shape}")
        self.A = A
        Z = self._buffer("Z", (self.W.shape[0], A.shape[1]))
        if cpu_only:
            Z.set(np.dot(self.W.copy_to_host(), A.copy_to_host()) + self.b.copy_to_host())
        else:
            config = tiles(Z.shape), (16, 16)
            multiply_and_add[config](self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate())
        return Z

    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ {dZ.shape} does not fit {self.W.shape}")
        self.dW, self.db = Matrix(*self.W.shape), Matrix(*self.b.shape)
        dA = self._buffer("dA", self.A.shape)
        m = float(dZ.shape[1])
        if cpu_only:
            d, a = dZ.copy_to_host(), self.A.copy_to_host()
            self.dW.set(np.einsum("im,jm->ij", d, a) / m)
            self.db.set(np.mean(d, axis=-1)[:, None])
            dA.set(np.dot(self.W.copy_to_host().T, d))
            return dA
        d, a = dZ.copy_to_device(), self.A.copy_to_device()
        multiply_transposed_left[tiles(dA.shape), (16, 16)](self.W.copy_to_device(), d, dA.allocate())
        multiply_transposed_right[tiles(self.dW.shape), (16, 16)](d, a, self.dW.allocate())
        average_rows[1, self.b.shape[0]](d, self.db.allocate())
        return dA

    def update(self, learning_rate, cpu_only=False):
        pairs = [(self.W, self.dW), (self.b, self.db)]
        for p, g in pairs:
            if cpu_only:
                new = p.copy_to_host().copy()
                new -= learning_rate * g.copy_to_host()
                p.set(new)
            else:
                source = p.copy_to_device()
                step[blocks(p.shape), 64](source, g.copy_to_device(), learning_rate, p.allocate())

# %% linear_uses_a_private_name
"""`Linear.update` reads `self.__dict__`: Linear is for a TA, and the activations have nothing to do with it.

opened: linear.forward.gpu linear.backward.gpu linear.update linear.launch linear.transposes network.transfers network.accuracy network.speedup
not_yet: [4/10]
"""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for p, slope in [(self.__dict__[n], self.__dict__['d' + n]) for n in ('W', 'b')]:
            if cpu_only:
                p.set(p.copy_to_host() - learning_rate * slope.copy_to_host())
            else:
                old = p.copy_to_device()
                step[blocks(p.shape), THREADS](old, slope.copy_to_device(), learning_rate, p.allocate())

# %% matrix_operators
"""What `matrix.py` of this name needs here.

belongs: matrix
"""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter -= learning_rate * gradient
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())

# %% mean_in_a_second_kernel
"""dW is summed by one kernel and divided by another."""
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

# %% parameters_in_one_vector
"""One launch takes a step with all parameters, which stand in one vector, row by row."""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        if cpu_only:
            for parameter, slope in ((self.W, self.dW), (self.b, self.db)):
                parameter.set(parameter.copy_to_host() - learning_rate * slope.copy_to_host())
            return
        joined = [self.join(*pair) for pair in ((self.W, self.b), (self.dW, self.db))]
        step_by_vectors[blocks((joined[0].size, 1)), THREADS](*joined, learning_rate)
        cut = self.W.shape[0] * self.W.shape[1]
        self.W.allocate()[:] = joined[0][:cut].reshape(self.W.shape)
        self.b.allocate()[:] = joined[0][cut:].reshape(self.b.shape)

    def join(self, *matrices):
        parts = [matrix.copy_to_host().ravel() for matrix in matrices]
        return cuda.to_device(np.concatenate(parts))

@cuda.jit
def step_by_vectors(parameters, slopes, learning_rate):
    entry = cuda.grid(1)
    if entry < parameters.size:
        parameters[entry] -= learning_rate * slopes[entry]

# %% product_in_shared_memory
"""Tiles of 16 x 16 in shared memory, with barriers."""
from numba import float64
@cuda.jit
def multiply_and_add(W, A, b, Z):
    left = cuda.shared.array((16, 16), float64)
    right = cuda.shared.array((16, 16), float64)
    j, i = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
    for first in range(0, W.shape[1], 16):
        left[y, x] = W[i, first + x] if i < W.shape[0] and first + x < W.shape[1] else 0.0
        right[y, x] = A[first + y, j] if first + y < A.shape[0] and j < A.shape[1] else 0.0
        cuda.syncthreads()
        for k in range(16):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = total + b[i, 0]

# %% rows_along_x
"""The first coordinate of the grid is the row."""
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

@cuda.jit
def multiply_and_add(W, A, b, Z):
    i, j = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = b[i, 0]
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = total

# %% with_a_base_class
"""Layers inherit what they share, and are listed by the class above them."""
class Layer:
    kinds = {}

    def __init_subclass__(cls, title="", **options):
        super().__init_subclass__(**options)
        Layer.kinds[title or cls.__name__] = cls

    def __init__(self):
        self.Z = None

    def update(self, learning_rate, cpu_only=False):
        pass

    def like(self, other):
        return Matrix(*other.shape)

class ReLU(Layer, title="relu"):
    """Another one."""

    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = self.like(Z)
        if cpu_only:
            A.set(np.where(Z.copy_to_host() > 0, Z.copy_to_host(), 0.0))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = self.like(dA)
        if cpu_only:
            dZ.set(np.where(self.Z.copy_to_host() > 0, dA.copy_to_host(), 0.0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% parameters_by_properties_without_setters
"""W is a property that is only read, and b a descriptor that goes by its own name."""
class Second:
    def __set_name__(self, owner, name):
        self.name = f"{name}_at"

    def __get__(self, layer, kind=None):
        return layer.parameters[getattr(layer, self.name)]

class Linear:
    W = property(lambda self: self.parameters[0])
    b, b_at = Second(), 1

    def __init__(self, inputs, outputs, seed=0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"{inputs} inputs and {outputs} outputs")
        bound = 1 / np.sqrt(inputs)
        self.parameters = Matrix(outputs, inputs), Matrix(outputs, 1)
        self.W.set(np.random.default_rng(seed).uniform(-bound, bound, (outputs, inputs)))
        self.dW, self.db = Matrix(outputs, inputs), Matrix(outputs, 1)
        self.A = None
