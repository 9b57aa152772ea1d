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
        slope1 = inputs.T @ delta1
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (slope1 + regular * W1)
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
        slope1 = inputs.T @ delta1
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (slope1 + regular * W1)
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
        slope1 = inputs.T @ delta1
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (slope1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    return W1, b1, W2, b2, costs

# %% pipeline_in_one_piece
"""The whole batch travels at once.

failed: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    if rank == 0:
        batch = inputs
    else:
        batch = np.empty((samples, W.shape[0]))
        comm.Recv(batch, source=rank - 1)
    result = sigmoid(batch @ W)
    if rank < last:
        comm.Send(result, dest=rank + 1)
    return result if rank == last else None

# %% pipeline_in_the_wrong_order
"""Micro-batches are put together in reverse.

failed: pipeline.values
skipped: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    done = []
    for part in np.array_split(np.arange(samples), micro_batches):
        batch = inputs[part] if rank == 0 else np.empty((len(part), W.shape[0]))
        if rank > 0:
            comm.Recv(batch, source=rank - 1)
        done.append(sigmoid(batch @ W))
        if rank < last:
            comm.Send(done[-1], dest=rank + 1)
    return np.concatenate(done[::-1]) if rank == last else None

# %% pipeline_loses_the_rest
"""Samples that do not divide evenly into micro-batches are lost.

failed: pipeline.values
skipped: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    size, done = samples // micro_batches, []
    for place in range(micro_batches):
        batch = inputs[place * size : (place + 1) * size] if rank == 0 else np.empty((size, W.shape[0]))
        if rank > 0:
            comm.Recv(batch, source=rank - 1)
        done.append(sigmoid(batch @ W))
        if rank < last:
            comm.Send(done[-1], dest=rank + 1)
    return np.concatenate(done) if rank == last else None

# %% pipeline_returns_everywhere
"""Every rank of the pipeline returns what it made.

failed: pipeline.values
skipped: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last, done = comm.rank, comm.size - 1, []
    for part in np.array_split(np.arange(samples), micro_batches):
        batch = inputs[part] if rank == 0 else np.empty((len(part), W.shape[0]))
        if rank > 0:
            comm.Recv(batch, source=rank - 1)
        done.append(sigmoid(batch @ W))
        if rank < last:
            comm.Send(done[-1], dest=rank + 1)
    return np.concatenate(done)

# %% pipeline_waits_for_all
"""A rank takes all micro-batches before it computes.

failed: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    sizes = [len(part) for part in np.array_split(np.arange(samples), micro_batches)]
    batches = np.array_split(inputs, micro_batches) if rank == 0 else [np.empty((size, W.shape[0])) for size in sizes]
    if rank > 0:
        for batch in batches:
            comm.Recv(batch, source=rank - 1)
    results = [sigmoid(batch @ W) for batch in batches]
    if rank < last:
        for result in results:
            comm.Send(result, dest=rank + 1)
    return np.concatenate(results) if rank == last else None

# %% pipeline_waits_for_an_answer
"""Rank 0 waits for an answer that nobody gives.

failed: pipeline.values
skipped: pipeline.messages
says: rank 0 waits in recv from rank 1 (model_parallel.py:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    done = []
    for part in np.array_split(np.arange(samples), micro_batches):
        batch = inputs[part] if rank == 0 else np.empty((len(part), W.shape[0]))
        if rank > 0:
            comm.Recv(batch, source=rank - 1)
        done.append(sigmoid(batch @ W))
        if rank < last:
            comm.Send(done[-1], dest=rank + 1)
    if rank == 0 < last:
        comm.recv(source=1)
    return np.concatenate(done) if rank == last else None

# %% tensor_gathers_the_hidden_layer
"""The hidden layer travels, and all rows of W2 with it.

failed: tensor.reduction
"""
def tensor_forward(comm, inputs, columns, rows):
    hidden = np.concatenate(comm.allgather(sigmoid(inputs @ columns)), axis=1)
    return hidden @ np.concatenate(comm.allgather(rows))

# %% tensor_reduces_before_the_sigmoid
"""The hidden layer's inputs are added up, which have other columns.

failed: tensor.forward
skipped: tensor.reduction
"""
def tensor_forward(comm, inputs, columns, rows):
    total = sum(comm.allgather(np.sum(inputs @ columns, axis=1)))
    return np.outer(sigmoid(total), rows.sum(axis=0))

# %% tensor_reduces_to_rank_0
"""Only rank 0 has the output.

failed: tensor.forward
skipped: tensor.reduction
"""
def tensor_forward(comm, inputs, columns, rows):
    outputs = sigmoid(inputs @ columns) @ rows
    total = outputs.copy()
    comm.Reduce(outputs, total, root=0)
    return total

# %% tensor_without_reduction
"""Each rank returns its own summand.

failed: tensor.forward
skipped: tensor.reduction
"""
def tensor_forward(comm, inputs, columns, rows):
    return sigmoid(inputs @ columns) @ rows

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
