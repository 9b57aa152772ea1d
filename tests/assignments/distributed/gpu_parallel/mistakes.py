"""Mistakes in `gpu_parallel.py`, and what each costs.

failed: gpu.training
"""

# %% derivatives_not_combined
"""Each rank steps by the derivatives of its own share."""
def add_up(comm, slope):
    return slope

# %% derivatives_by_numpy
"""On the way back, NumPy makes the products.

says: lets `multiply_on_gpu` multiply
"""
def backward(theta2, inputs, hidden, delta2):
    delta1 = (delta2 @ theta2[:, 1:]) * hidden * (1.0 - hidden)
    return delta1.T @ with_bias(inputs), delta2.T @ with_bias(hidden)

# %% last_product_of_each_sum
"""The sum ends one product too early.

failed: gpu.products
says: The last product of each sum is missing
"""
@cuda.jit
def multiply_kernel(A, B, C):
    row, column = cuda.grid(2)
    if row < C.shape[0] and column < C.shape[1]:
        total = 0.0
        for k in range(A.shape[1] - 1):
            total += A[row, k] * B[k, column]
        C[row, column] = total

# %% multiply_on_the_host
"""NumPy multiplies, and no kernel runs.

failed: gpu.products
"""
def multiply_on_gpu(A, B):
    return A @ B

# %% read_without_a_barrier
"""Threads read what a neighbour carries into shared memory, and do not wait for it.

failed: gpu.products
says: race on
"""
@cuda.jit
def multiply_kernel(A, B, C):
    row, column = cuda.grid(2)
    first, total = cuda.shared.array(BLOCK, "float64"), 0.0
    if row < C.shape[0] and column < C.shape[1]:
        for k in range(A.shape[1]):
            if cuda.threadIdx.y == 0:
                first[cuda.threadIdx.x] = A[row, k]
            total += first[cuda.threadIdx.x] * B[k, column]
        C[row, column] = total
