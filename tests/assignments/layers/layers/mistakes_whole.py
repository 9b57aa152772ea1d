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
removes: expect_shape relu relu_backward sigmoid sigmoid_backward
"""
from abc import ABCMeta, abstractmethod
from collections import namedtuple
from functools import lru_cache
Launch = namedtuple("Launch", "grid block")

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
        self.A = None

    def update(self, learning_rate, cpu_only=False):
        if cpu_only:
            self.W.set(self.W.copy_to_host() - learning_rate * self.dW.copy_to_host())
            self.b.set(self.b.copy_to_host() - learning_rate * self.db.copy_to_host())
            return
        for parameter, slope in {self.W: self.dW, self.b: self.db}.items():
            cfg = launch_1d(parameter.shape[0] * parameter.shape[1])
            old = parameter.copy_to_device()
            step[cfg.grid, cfg.block](old, slope.copy_to_device(), learning_rate, parameter.allocate())

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
