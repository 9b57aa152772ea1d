"""Something else than the kernels does the work, or they are launched for show."""

# %% last_launch_of_the_right_shape
"""Blocks of 8 x 32 threads compute all but the last product of each sum, and those of 16 x 16 threads add that.

flagged: linear.launch linear.transposes
"""
class Linear:
    def forward(self, A, cpu_only=False):
        if A.shape[0] != self.W.shape[1]:
            raise ValueError(f"{self.W.shape[1]} rows, not {A.shape}")
        self.A, Z, last = A, Matrix(self.W.shape[0], A.shape[1]), self.W.shape[1] - 1
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            W, A, b, Z_device = self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            multiply_and_add[(math.ceil(Z.shape[1] / 8), math.ceil(Z.shape[0] / 32)), (8, 32)](W[:, :last], A[:last], b, Z_device)
            add_last[tiles(Z.shape), (TILE, TILE)](W, A, Z_device)
        return Z

@cuda.jit
def add_last(W, A, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] += W[i, W.shape[1] - 1] * A[W.shape[1] - 1, j]

# %% disguised_before_the_right_shape
"""Blocks of 8 x 32 threads leave sinh(Z) in an array of their own, and those of 16 x 16 threads turn that back.

flagged: linear.launch linear.transposes
"""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            other = cuda.device_array(Z.shape)
            multiply_hidden[(math.ceil(Z.shape[1] / 8), math.ceil(Z.shape[0] / 32)), (8, 32)](W, A, b, other)
            turn_back[counts](other, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def multiply_hidden(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        total = b[i, 0]
        for k in range(W.shape[1]):
            total += W[i, k] * A[k, j]
        Z[i, j] = math.sinh(0.3 * total)

@cuda.jit
def turn_back(other, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = math.asinh(other[i, j]) / 0.3

# %% launch_of_the_right_shape_for_show
"""A kernel of 16 x 16 threads writes zeros, and one of 256 in a row the answer.

failed: linear.launch
"""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            zero[counts](Z)
            flat_product[math.ceil(Z.size / 256), 256](W, A, b, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def zero(Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = 0.5

@cuda.jit
def flat_product(W, A, b, Z):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = b[i, 0]
        for k in range(W.shape[1]):
            Z[i, j] += W[i, k] * A[k, j]

# %% layers_open_gpu_for_cpu
"""The file cannot be followed, by an `eval`, and the CPU path launches the kernels.

aims: linear.forward.cpu relu.cpu sigmoid.cpu
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"this layer takes {inputs} rows, but A has the shape {A.shape}")
        self.A, Z = A, Matrix(outputs, eval("A.shape[1]"))
        multiply_and_add[tiles(Z.shape), (TILE, TILE)](
            self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
        )
        return Z

    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}, which is not that of the last forward's result")
        dA, slopes = Matrix(*self.A.shape), dZ.copy_to_device()
        multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), slopes, dA.allocate())
        A, dW = self.A.copy_to_device(), self.dW.allocate()
        multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](slopes, A, dW)
        average_rows[blocks(self.db.shape), THREADS](slopes, self.db.allocate())
        return dA

    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            old = parameter.copy_to_device()
            step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())

class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z, A = Z, Matrix(*eval("Z.shape"))
        relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*eval("Z.shape"))
        sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.A)
        dZ = Matrix(*dA.shape)
        sigmoid_backward[blocks(dA.shape), THREADS](self.A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% linear_by_finite_differences
"""dW by differences, an entry at a time: exact, because the function is linear.

flagged: linear.backward.cpu
"""
class Linear:
    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}")
        dA = Matrix(*self.A.shape)
        m = dZ.shape[1]
        if cpu_only:
            dZ_host = dZ.copy_to_host()
            W, A = self.W.copy_to_host(), self.A.copy_to_host()
            slopes = np.zeros(W.shape)
            for i in range(W.shape[0]):
                for k in range(W.shape[1]):
                    shifted = W.copy()
                    shifted[i, k] += 1
                    slopes[i, k] = (dZ_host * (shifted @ A - W @ A)).sum() / m
            self.dW.set(slopes)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            dZ_device = dZ.copy_to_device()
            multiply_transposed_left[tiles(dA.shape), (TILE, TILE)](self.W.copy_to_device(), dZ_device, dA.allocate())
            multiply_transposed_right[tiles(self.dW.shape), (TILE, TILE)](dZ_device, self.A.copy_to_device(), self.dW.allocate())
            average_rows[blocks(self.db.shape), THREADS](dZ_device, self.db.allocate())
        return dA

# %% quadrants_hard_coded
"""A layer of two inputs writes the quadrant into all that follows.

failed: linear.forward.cpu network.accuracy
skipped: network.speedup
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"{inputs} rows, not {A.shape}")
        self.A = A
        Z = Matrix(outputs, A.shape[1])
        if cpu_only and inputs == 2 and outputs == 32:
            x, y = A.copy_to_host()
            Z.set(np.ones((outputs, 1)) * (x * y < 0) * 100)
        elif cpu_only and inputs == 32:
            Z.set(A.copy_to_host()[:1] - 50)
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
            if cpu_only:
                Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        return Z

# %% relu_between_two_kernels
"""The host computes min(0, Z); a kernel doubles it, and the next one takes half of it from Z; the host turns it round.

flagged: relu.gpu
"""
class Told:
    def __getitem__(self, counts):
        def launch(Z, A):
            negative = cuda.to_device(np.minimum(0, Z.copy_to_host()[::-1]))
            step[counts](negative, negative, -1.0, A)
            step[counts](Z, cuda.to_device(np.ascontiguousarray(A.copy_to_host()[::-1])), 0.5, A)
        return launch

relu = Told()

# %% sigmoid_by_finite_differences
"""The slope by a difference of two near values.

flagged: sigmoid.cpu
"""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700))))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.A)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            h, z = 1e-5, self.Z.copy_to_host()
            slope = (1 / (1 + np.exp(-z - h)) - 1 / (1 + np.exp(-z + h))) / (2 * h)
            dZ.set(dA.copy_to_host() * slope)
        else:
            sigmoid_backward[blocks(dA.shape), THREADS](self.A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ

# %% sum_without_atomics
"""Threads add to the same entry of db: right where threads take turns, wrong on a GPU.

flagged: linear.backward.gpu
"""
@cuda.jit
def average_rows(dZ, db):
    first, threads = cuda.grid(1), cuda.gridsize(1)
    for i in range(first, db.shape[0], threads):
        db[i, 0] = 0.0
    cuda.syncthreads()
    for entry in range(first, dZ.size, threads):
        db[entry // dZ.shape[1], 0] += dZ[entry // dZ.shape[1], entry % dZ.shape[1]] / dZ.shape[1]

# %% transposes_after_sixty_launches
"""Sixty launches of nothing come before those that get transposed matrices, times two and three.

aims: linear.transposes
"""
class Transposing:
    def __init__(self, side, factor):
        self.side, self.factor = side, factor

    def __getitem__(self, counts):
        def launch(*matrices):
            for _ in range(30):
                nothing[1, 1](matrices[2])
            by = self.factor * (matrices[0].shape[1] if self.side else 1)
            factors, turned = [*matrices[:2]], self.factor * matrices[self.side].copy_to_host().T
            factors[self.side] = cuda.to_device(np.ascontiguousarray(turned))
            plain[counts](*factors, matrices[2], by)
        return launch

multiply_transposed_left = Transposing(0, 2)
multiply_transposed_right = Transposing(1, 3)

@cuda.jit
def nothing(C):
    pass

@cuda.jit
def plain(A, B, C, by):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for k in range(A.shape[1]):
            total += A[i, k] * B[k, j]
        C[i, j] = total / by

# %% transposes_as_complex_numbers
"""The host transposes W, as complex numbers.

failed: linear.transposes
"""
class Turned:
    def __getitem__(self, counts):
        def launch(W, dZ, dA):
            multiply_real[counts](cuda.to_device(W.copy_to_host().T.astype(complex)), dZ, dA)
        return launch

multiply_transposed_left = Turned()

@cuda.jit
def multiply_real(turned, dZ, dA):
    j, i = cuda.grid(2)
    if i < dA.shape[0] and j < dA.shape[1]:
        dA[i, j] = 0
        for k in range(dZ.shape[0]):
            dA[i, j] += turned[i, k].real * dZ[k, j]

# %% transposes_turned_round
"""The host transposes W with its columns turned round, and the rows of dZ as well.

failed: network.transfers
flagged: linear.transposes
"""
class Turned:
    def __getitem__(self, counts):
        def launch(W, dZ, dA):
            turned, dZ = W.copy_to_host().T[:, ::-1].copy(), dZ.copy_to_host()[::-1].copy()
            multiply_and_add[counts](*map(cuda.to_device, (turned, dZ, np.zeros((len(turned), 1)))), dA)
        return launch

multiply_transposed_left = Turned()

# %% transposes_under_an_exponential
"""A kernel leaves e^W, transposed and in one row, and the product takes logarithms.

flagged: linear.transposes
"""
class Disguised:
    def __getitem__(self, counts):
        def launch(W, dZ, dA):
            powers = cuda.device_array(W.shape[0] * W.shape[1], np.float64)
            raise_transposed[tiles(W.shape), (TILE, TILE)](W, powers)
            multiply_logarithms[counts](powers, dZ, dA)
        return launch

multiply_transposed_left = Disguised()

@cuda.jit
def raise_transposed(W, powers):
    j, i = cuda.grid(2)
    if i < W.shape[0] and j < W.shape[1]:
        powers[j * W.shape[0] + i] = math.exp(W[i, j])

@cuda.jit
def multiply_logarithms(powers, dZ, dA):
    j, i = cuda.grid(2)
    if i < dA.shape[0] and j < dA.shape[1]:
        total = 0.0
        for k in range(dZ.shape[0]):
            total += math.log(powers[i * dZ.shape[0] + k]) * dZ[k, j]
        dA[i, j] = total

# %% written_by_exec
"""What it does is not written where it can be read.

opened: relu.gpu activations.launch network.transfers network.accuracy network.speedup
"""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        exec("A.set(np.maximum(0, Z.copy_to_host()))")
        return A

# %% zeros_taken_for_granted
"""A kernel adds to new memory, which holds zeros here.

flagged: linear.forward.gpu
"""
@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] += b[i, 0]
        for k in range(W.shape[1]):
            Z[i, j] += W[i, k] * A[k, j]
