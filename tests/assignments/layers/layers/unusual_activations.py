"""`ReLU` and `Sigmoid` written in unusual ways, and right."""

# %% activation_by_forall
"""Numba chooses the number of blocks."""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu.forall(Z.shape[0] * Z.shape[1], 64)(Z.copy_to_device(), A.allocate())
        return A

# %% activations_in_squares
"""Blocks of 8 x 8 threads are 64 threads."""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu_in_squares[(math.ceil(Z.shape[1] / 8), math.ceil(Z.shape[0] / 8)), (8, 8)](Z.copy_to_device(), A.allocate())
        return A

@cuda.jit
def relu_in_squares(Z, A):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        A[i, j] = max(0.0, Z[i, j])

# %% one_function_on_cpu_and_gpu
"""One function is compiled twice, by njit and as a device function; both paths of Sigmoid use it."""
from numba import njit
def logistic(z):
    return 1.0 / (1.0 + math.exp(-z))

on_device = cuda.jit(device=True)(logistic)
on_host = njit(logistic)

@cuda.jit
def sigmoid(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = on_device(Z[i, j])

class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.array([[on_host(z) for z in row] for row in Z.copy_to_host()]))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

# %% relu_padded_to_whole_blocks
"""Flat arrays of the device, padded with zeros to whole blocks, so that no thread asks where it is."""
@cuda.jit
def relu_flat(Z, A):
    entry = cuda.grid(1)
    A[entry] = max(0.0, Z[entry])

@cuda.jit
def relu_backward_flat(Z, dA, dZ):
    entry = cuda.grid(1)
    dZ[entry] = dA[entry] if Z[entry] > 0 else 0.0

def flat(host):
    return cuda.to_device(np.pad(host.ravel(), (0, -host.size % THREADS)))

class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z, self.z = Z, None
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            self.z = z = flat(Z.copy_to_host())
            a = cuda.device_array_like(z)
            relu_flat[z.size // THREADS, THREADS](z, a)
            A.set(a.copy_to_host()[: Z.shape[0] * Z.shape[1]].reshape(Z.shape))
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (self.Z.copy_to_host() > 0))
        else:
            z = flat(self.Z.copy_to_host()) if self.z is None else self.z
            d = flat(dA.copy_to_host())
            found = cuda.device_array_like(z)
            relu_backward_flat[z.size // THREADS, THREADS](z, d, found)
            dZ.set(found.copy_to_host()[: dZ.shape[0] * dZ.shape[1]].reshape(dZ.shape))
        return dZ

# %% relu_remembers_a_mask
"""What `backward` needs is kept as a matrix of zeros and ones."""
class ReLU:
    def __init__(self):
        self.mask = None

    def forward(self, Z, cpu_only=False):
        A = Matrix(*Z.shape)
        self.mask = Matrix(*Z.shape)
        if cpu_only:
            positive = Z.copy_to_host() > 0
            self.mask.set(positive.astype(float))
            A.set(Z.copy_to_host() * positive)
        else:
            relu_and_mask[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate(), self.mask.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.mask)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * self.mask.copy_to_host())
        else:
            times[blocks(dA.shape), THREADS](self.mask.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

@cuda.jit
def relu_and_mask(Z, A, mask):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        mask[i, j] = 1.0 if Z[i, j] > 0 else 0.0
        A[i, j] = Z[i, j] * mask[i, j]

@cuda.jit
def times(mask, dA, dZ):
    entry = cuda.grid(1)
    if entry < mask.size:
        i, j = entry // mask.shape[1], entry % mask.shape[1]
        dZ[i, j] = dA[i, j] * mask[i, j]

# %% sigmoid_as_in_the_text
"""e^x / (1 + e^x), in two branches so that nothing overflows."""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            z = Z.copy_to_host()
            small = np.exp(-np.abs(z))
            A.set(np.where(z >= 0, 1 / (1 + small), small / (1 + small)))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

@cuda.jit
def sigmoid(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        small = math.exp(-abs(Z[i, j]))
        A[i, j] = 1.0 / (1.0 + small) if Z[i, j] >= 0 else small / (1.0 + small)

# %% sigmoid_keeps_a_cache
"""What `backward` needs is in a cache, and the two ways are private methods."""
class Sigmoid:
    def __init__(self):
        self._cache = {}

    def forward(self, Z, cpu_only=False):
        self._cache["A"] = A = self._forward_cpu(Z) if cpu_only else self._forward_gpu(Z)
        return A

    def _forward_cpu(self, Z):
        A = Matrix(*Z.shape)
        A.set(1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700))))
        return A

    def _forward_gpu(self, Z):
        A = Matrix(*Z.shape)
        self._launch(sigmoid, Z.copy_to_device(), A.allocate())
        return A

    def _launch(self, kernel, *arrays):
        kernel[blocks(arrays[-1].shape), THREADS](*arrays)

    def backward(self, dA, cpu_only=False):
        A = self._cache.get("A")
        expect_shape(dA, A)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            held = A.copy_to_host()
            dZ.set(dA.copy_to_host() * held * (1 - held))
        else:
            self._launch(sigmoid_backward, A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% sigmoid_keeps_its_memory
"""The result lies in the same memory for each batch of one size, and the derivative is written over it."""
class Sigmoid:
    def __init__(self):
        self.A, self._kept = None, {}

    def forward(self, Z, cpu_only=False):
        if Z.shape not in self._kept:
            self._kept[Z.shape] = Matrix(*Z.shape)
        self.A = A = self._kept[Z.shape]
        if cpu_only:
            values = A.copy_to_host()
            values[...] = 1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700)))
            A.set(values)
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.A)
        if cpu_only:
            values = self.A.copy_to_host()
            values *= dA.copy_to_host() * (1 - values)
            self.A.set(values)
            return self.A
        dZ = Matrix(*dA.shape)
        sigmoid_backward[blocks(dA.shape), THREADS](self.A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% sigmoid_in_pieces_of_the_flat_array
"""The entries go to the device in pieces of 500, each by a launch of its own, as where a card's memory is small."""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700))))
            return A
        flat = Z.copy_to_host().ravel()
        values = np.empty_like(flat)
        for begin in range(0, flat.size, 500):
            piece = cuda.to_device(flat[begin : begin + 500])
            result = cuda.device_array(piece.shape, np.float64)
            sigmoid_of_piece[math.ceil(piece.size / THREADS), THREADS](piece, result)
            values[begin : begin + 500] = result.copy_to_host()
        A.set(values.reshape(Z.shape))
        return A

@cuda.jit
def sigmoid_of_piece(piece, result):
    entry = cuda.grid(1)
    if entry < result.size:
        result[entry] = 1 / (1 + math.exp(-piece[entry]))
