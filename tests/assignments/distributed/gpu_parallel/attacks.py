"""Hand-ins of `gpu_parallel.py` that try to get points for nothing.

failed: gpu.training
skipped: gpu.speedup
"""

# %% rank_0_trains_for_all
"""Rank 0 keeps all samples, and the others have none."""
def deal(comm, inputs, labels):
    return (inputs, labels) if comm.rank == 0 else (np.zeros((0, 400)), np.zeros(0, int))

# %% kernel_for_show
"""A kernel fills the result with zeros, and NumPy makes it.

failed: gpu.products
"""
def multiply_on_gpu(A, B):
    C = cuda.to_device(np.empty((A.shape[0], B.shape[1])))
    multiply_kernel[(-(-A.shape[0] // BLOCK), -(-B.shape[1] // BLOCK)), (BLOCK, BLOCK)](A * 0, B, C)
    return C.copy_to_host() + A @ B

# %% answers_thrown_away
"""`multiply_on_gpu` is called for all products, and NumPy's are used."""
def used(A, B):
    multiply_on_gpu(A, B)
    return A @ B

def forward(theta1, theta2, inputs):
    hidden = sigmoid(used(with_bias(inputs), theta1.T))
    return hidden, sigmoid(used(with_bias(hidden), theta2.T))

def backward(theta2, inputs, hidden, delta2):
    delta1 = used(delta2, theta2[:, 1:]) * hidden * (1.0 - hidden)
    return used(delta1.T, with_bias(inputs)), used(delta2.T, with_bias(hidden))
