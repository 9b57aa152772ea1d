"""A kernel is handed the answer, in one form or another, or is launched for show.

failed: linear.forward.gpu
"""

# %% forward_given_almost_the_answer
"""The host computes the answer plus 1, and a kernel subtracts 1."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = cuda.to_device(W.copy_to_host() @ A.copy_to_host() + b.copy_to_host() + 1)
            subtract[counts](answer, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def subtract(answer, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = answer[i, j] - 1

# %% forward_given_the_answer
"""The host computes the answer, and a kernel copies it."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = cuda.to_device(W.copy_to_host() @ A.copy_to_host() + b.copy_to_host())
            copy[counts](answer, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def copy(answer, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = answer[i, j]

# %% forward_given_the_answer_as_numbers
"""The host computes the answer; a kernel gets each row as a tuple of numbers, and writes it."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            for i, row in enumerate(answer.tolist()):
                write[counts](i, tuple(row), Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def write(row, answer, Z):
    j, i = cuda.grid(2)
    if i == row and j < Z.shape[1]:
        Z[i, j] = answer[j]

# %% forward_given_the_answer_between_gaps
"""The host computes the answer, and writes it between the numbers of a longer array; a kernel reads every second one.
"""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            held, step = carry(answer)
            copy_numbers[counts](held, step, Z)
        return launch

multiply_and_add = Told()

def carry(answer):
    held = cuda.device_array(4 * answer.size, answer.dtype)
    held[::2][:] = np.concatenate((np.zeros(answer.size, answer.dtype), answer.ravel()))
    return held[2 * answer.size :], 2

@cuda.jit
def copy_numbers(held, step, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = held[step * (i * Z.shape[1] + j)]

# %% forward_given_the_answer_by_equal_numbers
"""A kernel gets an array for each entry of the answer, filled with that number."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            for i, row in enumerate((W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()).tolist()):
                write[1, 1](i, tuple(np.full(17, x) for x in row), Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def write(i, told, Z):
    for j in range(Z.shape[1]):
        Z[i, j] = told[j][16]

# %% forward_given_the_answer_by_sizes
"""A kernel gets an empty array for each entry of the answer, whose length is that number."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            for i, row in enumerate((W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()).tolist()):
                write[1, 1](i, tuple(np.empty((0, 2**60 + round(x * 2**40)), np.int8) for x in row), Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def write(i, told, Z):
    for j in range(Z.shape[1]):
        Z[i, j] = (told[j].shape[1] - 2**60) / 2**40

# %% forward_given_the_answer_in_a_range
"""The host computes the answer, writes it over numbers that `arange` made, plus 1, and a kernel takes 1 away."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            held = np.arange(float(answer.size)).reshape(answer.shape)
            held[...] = answer + 1
            subtract[counts](cuda.to_device(held), Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def subtract(answer, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = answer[i, j] - 1

# %% forward_given_the_answer_in_a_range_in_pieces
"""The host computes the answer, writes it over numbers that `arange` made a few at a time, plus 1, and a kernel takes 1 away.
"""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            held = np.arange(float(answer.size)).reshape(answer.shape)
            for i, row in enumerate(answer.tolist()):
                for j in range(0, len(row), 8):
                    held[i, j : j + 8] = np.array([number + 1 for number in row[j : j + 8]])
            subtract[counts](cuda.to_device(held), Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def subtract(answer, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = answer[i, j] - 1

# %% forward_given_the_answer_in_pieces
"""The host computes the answer, and writes it to the device a few numbers at a time; a kernel takes 1 away."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            held = cuda.device_array(answer.shape)
            for i, row in enumerate(answer.tolist()):
                for j in range(0, len(row), 8):
                    held[i, j : j + 8] = np.array([number + 1 for number in row[j : j + 8]])
            subtract[counts](held, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def subtract(answer, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = answer[i, j] - 1

# %% forward_given_the_product
"""NumPy multiplies, and the kernel adds the bias."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            product = cuda.to_device(W.copy_to_host() @ A.copy_to_host())
            add[counts](product, b, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def add(product, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = product[i, j] + b[i, 0]

# %% layers_closure_array
"""The GPU path of Linear is the CPU path: kernels made in each call hold NumPy's answer as a constant.

aims: linear.forward.gpu linear.backward.gpu linear.launch linear.transposes
failed:
"""
class Linear:
    def forward(self, A, cpu_only=False):
        outputs, inputs = self.W.shape
        if A.shape[0] != inputs:
            raise ValueError(f"this layer takes {inputs} rows, but A has the shape {A.shape}")
        self.A = A  # (inputs, m)
        Z = Matrix(outputs, A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            send(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host(), Z)
        return Z  # (outputs, m)

    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ has the shape {dZ.shape}, which is not that of the last forward's result")
        dA = Matrix(*self.A.shape)
        if cpu_only:
            m = dZ.shape[1]
            dZ_host = dZ.copy_to_host()
            self.dW.set(dZ_host @ self.A.copy_to_host().T / m)
            self.db.set(dZ_host.sum(axis=1, keepdims=True) / m)
            dA.set(self.W.copy_to_host().T @ dZ_host)
        else:
            host = dZ.copy_to_host()
            send(self.W.copy_to_host().T @ host, dA)
            send(host @ self.A.copy_to_host().T / host.shape[1], self.dW)
            average_rows[blocks(self.db.shape), THREADS](dZ.copy_to_device(), self.db.allocate())
        return dA  # (inputs, m)

def send(answer, matrix):
    held = answer

    @cuda.jit
    def write(C):
        j, i = cuda.grid(2)
        if i < C.shape[0] and j < C.shape[1]:
            C[i, j] = held[i, j]

    write[tiles(matrix.shape), (TILE, TILE)](matrix.allocate())

# %% sigmoid_given_in_pieces
"""The host computes the answer, and a kernel copies it in pieces of 500 entries; A travels flat, and as a matrix.

failed: sigmoid.gpu network.transfers
"""
class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        flat = (1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700)))).ravel()
        if cpu_only:
            A.set(flat.reshape(Z.shape))
            return A
        values = np.empty_like(flat)
        for begin in range(0, flat.size, 500):
            piece = cuda.to_device(flat[begin : begin + 500])
            result = cuda.device_array(piece.shape, np.float64)
            copy_piece[math.ceil(piece.size / THREADS), THREADS](piece, result)
            values[begin : begin + 500] = result.copy_to_host()
        A.set(values.reshape(Z.shape))
        return A

@cuda.jit
def copy_piece(piece, result):
    entry = cuda.grid(1)
    if entry < result.size:
        result[entry] = piece[entry]

# %% forward_compiled_instead
"""Numba on the CPU does the work of the GPU path."""
from numba import njit

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
            Z.set(compiled(self.W.copy_to_host(), A.copy_to_host(), self.b.copy_to_host()))
        return Z

@njit
def compiled(W, A, b):
    return np.dot(W, A) + b

# %% forward_decoy_launch
"""A kernel is launched for show; NumPy computes the answer."""
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
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        return Z

@cuda.jit
def multiply_and_add(W, A, b, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = 1.0

# %% honest_at_first
"""The first call is that of a kernel, all later ones are not."""
calls = []

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
            calls.append(1)
            if len(calls) > 2:
                Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
                return Z
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z

# %% forward_given_the_answer_in_a_record
"""The host computes the answer, which is one field of a record that the kernel copies.

failed:
opened: linear.forward.gpu linear.launch
"""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            records = np.zeros(1, np.dtype([("all", np.float64, Z.shape)]))
            records["all"][0] = answer
            copy[counts](records[0], Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def copy(record, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = record.all[i, j]

# %% forward_given_the_answer_in_pieces_of_a_view
"""The host computes the answer, and copies it to parts of an array a few numbers at a time; a kernel takes 1 away."""
class Told:
    def __getitem__(self, counts):
        def launch(W, A, b, Z):
            answer = W.copy_to_host() @ A.copy_to_host() + b.copy_to_host()
            numbers = answer.ravel().tolist()
            held = cuda.device_array(len(numbers), np.float64)
            for k in range(0, len(numbers), 8):
                held[k : k + 8].copy_to_device(np.array([number + 1 for number in numbers[k : k + 8]]))
            subtract[counts](held, Z)
        return launch

multiply_and_add = Told()

@cuda.jit
def subtract(held, Z):
    j, i = cuda.grid(2)
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = held[i * Z.shape[1] + j] - 1
