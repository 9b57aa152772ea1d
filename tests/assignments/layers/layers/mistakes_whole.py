"""Mistakes in files of another design."""

# %% copies_and_has_properties
"""What `matrix.py` of this name needs here.

belongs: matrix
"""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(Z.rows, Z.shape[1])
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% own_matrix_methods_and_stale_copy
"""What `matrix.py` of this name needs here.

belongs: matrix
removes: expect_shape tiles blocks multiply_and_add multiply_transposed_left multiply_transposed_right average_rows step relu relu_backward sigmoid sigmoid_backward
"""
from abc import ABCMeta, abstractmethod
from collections import namedtuple
from functools import lru_cache
Launch = namedtuple("Launch", "grid block")
Cache = namedtuple("Cache", ["A", "m"])

@lru_cache(maxsize=None)
def launch_2d(rows, cols):
    return Launch((-(-cols // TILE), -(-rows // TILE)), (TILE, TILE))

@lru_cache(maxsize=None)
def launch_1d(n):
    return Launch((-(-n // THREADS),), (THREADS,))

class Layer(metaclass=ABCMeta):
    @abstractmethod
    def forward(self, A, cpu_only=False):
        ...

    @abstractmethod
    def backward(self, dA, cpu_only=False):
        ...

    def update(self, learning_rate, cpu_only=False):
        pass

class Linear(Layer):
    def __init__(self, inputs, outputs, seed=0):
        rng = np.random.default_rng(seed)
        self.W = Matrix.of((2 * rng.random((outputs, inputs)) - 1) / math.sqrt(inputs))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.cache = None

    def forward(self, A, cpu_only=False):
        (n_out, n_in), (n_rows, m) = self.W.shape, A.shape
        if n_in != n_rows:
            raise ValueError("W {} times A {} does not fit".format(self.W.shape, A.shape))
        self.cache = Cache(A, m)
        Z = Matrix(n_out, m)
        if cpu_only:
            Z.set(np.matmul(self.W.copy_to_host(), A.copy_to_host()) + np.tile(self.b.copy_to_host(), (1, m)))
        else:
            cfg = launch_2d(n_out, m)
            linear_forward[cfg.grid, cfg.block](self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate(), n_out, n_in, m)
        return Z

    def backward(self, dZ, cpu_only=False):
        if self.cache is None or dZ.shape != (self.W.shape[0], self.cache.m):
            raise ValueError("dZ {} does not fit the last forward".format(dZ.shape))
        A, m = self.cache
        n_out, n_in = self.W.shape
        dA = Matrix(n_in, m)
        if cpu_only:
            self.dW.set(np.einsum("im,jm->ij", dZ.copy_to_host(), A.copy_to_host()) / m)
            self.db.set(np.average(dZ.copy_to_host(), axis=1)[:, np.newaxis])
            dA.set(np.einsum("ij,im->jm", self.W.copy_to_host(), dZ.copy_to_host()))
        else:
            d = dZ.copy_to_device()
            grid, block = launch_2d(n_out, n_in)
            linear_dw[grid, block](d, A.copy_to_device(), self.dW.allocate(), n_out, n_in, m)
            grid, block = launch_1d(n_out)
            linear_db[grid, block](d, self.db.allocate(), n_out, m)
            grid, block = launch_2d(n_in, m)
            linear_da[grid, block](self.W.copy_to_device(), d, dA.allocate(), n_out, n_in, m)
            cuda.synchronize()
        return dA

    def update(self, learning_rate, cpu_only=False):
        if cpu_only:
            self.W.set(self.W.copy_to_host() - learning_rate * self.dW.copy_to_host())
            self.b.set(self.b.copy_to_host() - learning_rate * self.db.copy_to_host())
            return
        for parameter, slope in {self.W: self.dW, self.b: self.db}.items():
            grid, block = launch_1d(parameter.shape[0] * parameter.shape[1])
            old = parameter.copy_to_device()
            descend[grid, block](old, slope.copy_to_device(), learning_rate, parameter.allocate())

@cuda.jit
def linear_forward(W, A, b, Z, n_out, n_in, m):
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col = tx + cuda.blockIdx.x * TILE
    row = ty + cuda.blockIdx.y * TILE
    if row < n_out:
        if col < m:
            s = 0.0
            k = 0
            while k < n_in:
                s += W[row, k] * A[k, col]
                k += 1
            Z[row, col] = s + b[row, 0]

@cuda.jit
def linear_dw(dZ, A, dW, n_out, n_in, m):
    j, i = cuda.grid(2)
    if i < n_out and j < n_in:
        s = 0.0
        for k in range(m):
            s += dZ[i, k] * A[j, k]
        dW[i, j] = s / m

@cuda.jit
def linear_db(dZ, db, n_out, m):
    i = cuda.grid(1)
    if i < n_out:
        s = 0.0
        for k in range(m):
            s += dZ[i, k] / m
        db[i, 0] = s

@cuda.jit
def linear_da(W, dZ, dA, n_out, n_in, m):
    j, i = cuda.grid(2)
    if i < n_in and j < m:
        s = 0.0
        for k in range(n_out):
            s += dZ[k, j] * W[k, i]
        dA[i, j] = s

@cuda.jit
def descend(P, G, rate, out):
    t = cuda.grid(1)
    cols = P.shape[1]
    if t < P.shape[0] * cols:
        out[t // cols, t % cols] = P[t // cols, t % cols] - rate * G[t // cols, t % cols]

class _Activation(Layer):
    """An activation tells its CPU function and its kernels; the rest is the same for both."""

    def __init__(self):
        self.Z = None

    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(self.on_cpu(Z.copy_to_host()))
        else:
            grid, block = launch_1d(Z.shape[0] * Z.shape[1])
            self.kernel[grid, block](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        if self.Z is None or dA.shape != self.Z.shape:
            raise ValueError("dA {} does not fit".format(dA.shape))
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * self.slope_on_cpu(self.Z.copy_to_host()))
        else:
            grid, block = launch_1d(dA.shape[0] * dA.shape[1])
            self.slope_kernel[grid, block](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

@cuda.jit
def relu_k(Z, A):
    t = cuda.grid(1)
    if t < Z.shape[0] * Z.shape[1]:
        i, j = divmod(t, Z.shape[1])
        A[i, j] = max(Z[i, j], 0.0)

@cuda.jit
def relu_slope_k(Z, dA, dZ):
    t = cuda.grid(1)
    if t < Z.shape[0] * Z.shape[1]:
        i, j = divmod(t, Z.shape[1])
        dZ[i, j] = dA[i, j] * (Z[i, j] > 0)

@cuda.jit
def sigmoid_k(Z, A):
    t = cuda.grid(1)
    if t < Z.shape[0] * Z.shape[1]:
        i, j = divmod(t, Z.shape[1])
        A[i, j] = 0.5 * (1.0 + math.tanh(0.5 * Z[i, j]))

@cuda.jit
def sigmoid_slope_k(Z, dA, dZ):
    t = cuda.grid(1)
    if t < Z.shape[0] * Z.shape[1]:
        i, j = divmod(t, Z.shape[1])
        s = 0.5 * (1.0 + math.tanh(0.5 * Z[i, j]))
        dZ[i, j] = dA[i, j] * s * (1.0 - s)

class ReLU(_Activation):
    """max(0, Z)."""

    kernel, slope_kernel = staticmethod(relu_k), staticmethod(relu_slope_k)

    @staticmethod
    def on_cpu(z):
        return z * (z > 0)

    @staticmethod
    def slope_on_cpu(z):
        return np.heaviside(z, 0.0)

class Sigmoid(_Activation):
    """1 / (1 + exp(-Z))."""

    kernel, slope_kernel = staticmethod(sigmoid_k), staticmethod(sigmoid_slope_k)

    @staticmethod
    def on_cpu(z):
        return 0.5 * (1 + np.tanh(0.5 * z))

    @classmethod
    def slope_on_cpu(cls, z):
        return cls.on_cpu(z) * (1 - cls.on_cpu(z))
