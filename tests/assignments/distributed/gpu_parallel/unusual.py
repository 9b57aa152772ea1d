"""`gpu_parallel.py` written in unusual ways, and right."""

# %% tiles_in_shared_memory
"""Tiles of both matrices are read into shared memory; the device keeps a stream of its own."""
@cuda.jit
def multiply_kernel(A, B, C):
    left = cuda.shared.array((16, 16), "f8")
    right = cuda.shared.array((16, 16), "f8")
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    row, column = cuda.grid(2)
    total = 0.0
    for start in range(0, A.shape[1], 16):
        left[x, y] = A[row, start + y] if row < A.shape[0] and start + y < A.shape[1] else 0.0
        right[x, y] = B[start + x, column] if column < B.shape[1] and start + x < B.shape[0] else 0.0
        cuda.syncthreads()
        for k in range(16):
            total += left[x, k] * right[k, y]
        cuda.syncthreads()
    if row < C.shape[0] and column < C.shape[1]:
        C[row, column] = total

def multiply_on_gpu(A, B):
    stream = cuda.stream()
    C = cuda.device_array((A.shape[0], B.shape[1]), np.float64, stream=stream)
    blocks = (A.shape[0] + 15) // 16, (B.shape[1] + 15) // 16
    multiply_kernel[blocks, (16, 16), stream](
        cuda.to_device(np.array(A, order="C"), stream), cuda.to_device(np.array(B, order="C"), stream), C
    )
    result = C.copy_to_host(stream=stream)
    stream.synchronize()
    return result

# %% biases_apart
"""Biases are added, and summed, without a product; each rank takes every P-th sample."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    size = comm.size
    mine = comm.scatter([inputs[rank::size] for rank in range(size)] if comm.rank == 0 else None)
    marks = comm.scatter([labels[rank::size] for rank in range(size)] if comm.rank == 0 else None)
    thetas, samples = list(comm.bcast([theta1, theta2])), comm.allreduce(len(mine))
    costs = []
    for _ in range(iterations):
        layers = [mine]
        for theta in thetas:
            layers.append(sigmoid(multiply_on_gpu(layers[-1], np.ascontiguousarray(theta[:, 1:].T)) + theta[:, 0]))
        wanted = (marks[:, None] == np.arange(layers[-1].shape[1])).astype(float)
        own = -np.sum(np.log(np.where(wanted > 0, layers[-1], 1 - layers[-1])))
        costs.append((comm.allreduce(own) + regular / 2 * sum(np.sum(theta[:, 1:] ** 2) for theta in thetas)) / samples)
        delta = layers.pop() - wanted
        for place in (1, 0):
            slope = np.column_stack([delta.sum(axis=0), multiply_on_gpu(delta.T.copy(), layers[place])])
            if place:
                delta = multiply_on_gpu(delta, thetas[1][:, 1:].copy()) * layers[1] * (1 - layers[1])
            total = np.empty_like(slope)
            comm.Allreduce(np.ascontiguousarray(slope), total)
            total[:, 1:] += regular * thetas[place][:, 1:]
            thetas[place] = thetas[place] - learning_rate / samples * total
    return thetas[0], thetas[1], costs

# %% opened_by_an_import
"""A function of the standard library that no slice may use stands in `train`; nothing else is unusual.

opened: gpu.training
"""
from operator import attrgetter

def forward(theta1, theta2, inputs):
    hidden = sigmoid(multiply_on_gpu(with_bias(inputs), attrgetter("T")(theta1)))
    return hidden, sigmoid(multiply_on_gpu(with_bias(hidden), theta2.T))

# %% compiled_before_it_matters
"""Tiny products, whose results nobody needs, let Numba compile before the large ones."""
def with_bias(X):
    multiply_on_gpu(np.ones((2, 2)), np.ones((2, 2)))
    return np.hstack([np.ones((len(X), 1)), X])
