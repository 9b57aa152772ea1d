"""Mistakes in the pipeline.

failed: pipeline.values
"""

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
"""Micro-batches are put together in reverse."""
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
"""Samples that do not divide evenly into micro-batches are lost."""
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
"""Every rank of the pipeline returns what it made."""
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

says: rank 0 waits in recv from rank 1 (model_parallel.py:
failed: pipeline.values pipeline.messages
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
