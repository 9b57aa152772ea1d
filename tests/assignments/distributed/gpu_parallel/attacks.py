"""Hand-ins of `gpu_parallel.py` that try to get points for nothing.

failed: gpu.training
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

# %% kernels_in_the_first_step_only
"""After the first step NumPy makes the products, and one of zeros makes up for their number."""
def multiply(A, B, step):
    return multiply_on_gpu(A, B) if step == 0 else A.__matmul__(B)

def forward(theta1, theta2, inputs, step):
    hidden = sigmoid(multiply(with_bias(inputs), theta1.T, step))
    return hidden, sigmoid(multiply(with_bias(hidden), theta2.T, step))

def backward(theta2, inputs, hidden, delta2, step):
    delta1 = multiply(delta2, theta2[:, 1:], step) * hidden * (1.0 - hidden)
    return multiply(delta1.T, with_bias(inputs), step), multiply(delta2.T, with_bias(hidden), step)

def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    cuda.select_device(comm.rank % len(cuda.gpus))
    mine, marks = deal(comm, inputs, labels)
    theta1, theta2 = comm.bcast((theta1, theta2), root=0)
    samples, wanted, costs = comm.allreduce(len(mine)), np.eye(len(theta2))[marks], []
    for step in range(iterations):
        if step == 1:
            multiply_on_gpu(np.zeros((4000, 1)), np.zeros((1, 4000)))
        hidden, outputs = forward(theta1, theta2, mine, step)
        error = -np.sum(wanted * np.log(outputs) + (1.0 - wanted) * np.log(1.0 - outputs))
        squares = np.sum(theta1[:, 1:] ** 2) + np.sum(theta2[:, 1:] ** 2)
        costs.append((comm.allreduce(float(error)) + regular / 2.0 * squares) / samples)
        slopes = [add_up(comm, slope) for slope in backward(theta2, mine, hidden, outputs - wanted, step)]
        for slope, theta in zip(slopes, (theta1, theta2), strict=True):
            slope[:, 1:] += regular * theta[:, 1:]
        theta1, theta2 = theta1 - learning_rate / samples * slopes[0], theta2 - learning_rate / samples * slopes[1]
    return theta1, theta2, costs

# %% last_rank_trains_for_all
"""All ranks train with all samples, and the last one's derivatives count."""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    inputs, labels, theta1, theta2 = comm.bcast((inputs, labels, theta1, theta2))
    wanted, costs = np.eye(len(theta2))[labels], []
    for _ in range(iterations):
        hidden, outputs = forward(theta1, theta2, inputs)
        error = -np.sum(wanted * np.log(outputs) + (1.0 - wanted) * np.log(1.0 - outputs))
        slopes = comm.bcast(backward(theta2, inputs, hidden, outputs - wanted), root=comm.size - 1)
        squares = np.sum(theta1[:, 1:] ** 2) + np.sum(theta2[:, 1:] ** 2)
        costs.append((comm.bcast(float(error), root=comm.size - 1) + regular / 2.0 * squares) / len(inputs))
        for slope, theta in zip(slopes, (theta1, theta2)):
            slope[:, 1:] += regular * theta[:, 1:]
            theta -= learning_rate / len(inputs) * slope
    return theta1, theta2, costs

# %% products_of_ones
"""NumPy makes the products; `multiply_on_gpu` multiplies ones, and what is wrong there is added.

flagged: gpu.training
failed:
"""
def used(A, B):
    return A @ B + (multiply_on_gpu(np.ones(A.shape), np.ones(B.shape)) - len(B))

def forward(theta1, theta2, inputs):
    hidden = sigmoid(used(with_bias(inputs), theta1.T))
    return hidden, sigmoid(used(with_bias(hidden), theta2.T))

def backward(theta2, inputs, hidden, delta2):
    delta1 = used(delta2, theta2[:, 1:]) * hidden * (1.0 - hidden)
    return used(delta1.T, with_bias(inputs)), used(delta2.T, with_bias(hidden))
