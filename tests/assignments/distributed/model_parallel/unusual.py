"""`model_parallel.py` written in unusual ways, and right."""

# %% pipeline_of_issends
"""Micro-batches leave by Issend; what has left is looked for by Testany, and at the end waited for by Waitany."""
def pipeline_forward(comm: MPI.Comm, inputs, W, samples: int, micro_batches: int):
    rank, last = comm.rank, comm.size - 1
    sizes = [len(part) for part in np.array_split(np.arange(samples), micro_batches)]
    waiting = np.array_split(inputs, micro_batches) if rank == 0 else []
    done, sent, kept = [], [], []
    for place, size in enumerate(sizes):
        batch = waiting[place] if rank == 0 else np.empty((size, W.shape[0]))
        if rank:
            comm.Recv(batch, source=rank - 1, tag=place)
        result = sigmoid(batch @ W)
        if rank == last:
            done.append(result)
        else:
            kept.append(result)
            sent.append(comm.Issend(result, dest=rank + 1, tag=place))
            MPI.Request.Testany(sent)
    while MPI.Request.Waitany(sent) != MPI.UNDEFINED:
        pass
    return np.concatenate(done) if rank == last else None

# %% pipeline_of_objects
"""Micro-batches travel as objects, by blocking calls."""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    done = []
    for place, part in enumerate(np.array_split(np.arange(samples), micro_batches)):
        batch = inputs[part] if rank == 0 else comm.recv(source=rank - 1, tag=place)
        result = sigmoid(batch @ W)
        if rank < last:
            comm.send(result, dest=rank + 1, tag=place)
        else:
            done.append(result)
    return np.vstack(done) if rank == last else None

# %% pipeline_of_requests
"""All receives are asked for in advance."""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    parts = np.array_split(np.arange(samples), micro_batches)
    batches = [inputs[part] if rank == 0 else np.empty((len(part), W.shape[0])) for part in parts]
    coming = [comm.Irecv(batch, rank - 1, tag) for tag, batch in enumerate(batches)] if rank > 0 else []
    done, leaving = [], []
    for place, batch in enumerate(batches):
        if coming:
            coming[place].Wait()
        done.append(sigmoid(batch @ W))
        if rank < last:
            leaving.append(comm.Isend(done[-1], rank + 1, place))
    MPI.Request.Waitall(leaving)
    return np.concatenate(done) if rank == last else None

# %% tensor_by_messages_to_rank_0
"""Rank 0 adds the summands up, and sends the sum to each of the others."""
def tensor_forward(comm, inputs, columns, rows):
    total = sigmoid(inputs @ columns) @ rows
    if comm.rank > 0:
        comm.send(total, dest=0)
        return comm.recv(source=0)
    for rank in range(1, comm.size):
        total = total + comm.recv(source=rank)
    for rank in range(1, comm.size):
        comm.send(total, dest=rank)
    return total

# %% tensor_by_objects
"""The summands are added up as objects."""
def tensor_forward(comm, inputs, columns, rows):
    return comm.allreduce(sigmoid(inputs @ columns) @ rows)

# %% tensor_by_reduce_and_broadcast
"""The output is reduced at rank 0 and broadcast."""
def tensor_forward(comm: MPI.Comm, inputs, columns, rows):
    part = sigmoid(np.matmul(inputs, columns)).dot(rows)
    outputs = np.zeros_like(part)
    comm.Reduce([part, MPI.DOUBLE], [outputs, MPI.DOUBLE], MPI.SUM, 0)
    comm.Bcast([outputs, outputs.size, MPI.DOUBLE], 0)
    return outputs
