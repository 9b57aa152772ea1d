"""Mistakes in `model_parallel.py`, and what each costs.

failed: tensor.training
"""

# %% b2_added_on_every_rank
"""b2 is added before the reduction, on every rank."""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2 + b2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2))) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs

# %% b2_counts_on_every_rank
"""The L2 term has b2 once per rank."""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs + b2)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)))
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs

# %% derivatives_are_reduced
"""The derivatives of different columns are added up, as if they were of the same.

says: different amounts
"""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs + b2)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2))) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slope1 = inputs.T @ delta1
        comm.Allreduce(MPI.IN_PLACE, slope1)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (slope1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs

# %% l2_of_the_own_part
"""The L2 term has this rank's weights only."""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs

# %% tensor_gathers_the_hidden_layer
"""The hidden layer travels, and all rows of W2 with it.

failed: tensor.reduction
"""
def tensor_forward(comm, inputs, columns, rows):
    hidden = np.concatenate(comm.allgather(sigmoid(inputs @ columns)), axis=1)
    return hidden @ np.concatenate(comm.allgather(rows))

# %% way_back_is_reduced
"""The derivative by the output, which all ranks have, is added up over them and divided: nothing is gained by it.

flagged: tensor.training
failed:
"""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        outputs = hidden @ W2
        comm.Allreduce(MPI.IN_PLACE, outputs)
        shares = softmax(outputs + b2)
        squares = comm.allreduce(float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2))) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        comm.Allreduce(MPI.IN_PLACE, delta2)
        delta2 /= comm.size
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs
