"""Pipelines that try to get points for nothing.

failed: pipeline.messages
"""

# %% pipeline_after_all_objects
"""Ranks receive everything, compute once, and send pieces; a row of nothing goes first."""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    if comm.rank < comm.size - 1:
        comm.isend(np.zeros((1, W.shape[1])), comm.rank + 1)
    if comm.rank:
        inputs = np.concatenate([comm.recv(source=comm.rank - 1) for _ in range(micro_batches + 1)][1:])
    outputs = sigmoid(inputs @ W)
    if comm.rank == comm.size - 1:
        return outputs
    for part in np.array_split(outputs, micro_batches):
        comm.send(part, comm.rank + 1)

# %% pipeline_after_all_requests
"""The same by requests, all of which are waited for.

flagged: pipeline.messages
failed:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    if comm.rank:
        parts = [np.empty((len(part), W.shape[0])) for part in np.array_split(np.arange(samples), micro_batches)]
        MPI.Request.Waitall([comm.Irecv(part, comm.rank - 1) for part in parts])
        inputs = np.concatenate(parts)
    outputs = sigmoid(inputs @ W)
    if comm.rank == comm.size - 1:
        return outputs
    for part in np.array_split(outputs, micro_batches):
        comm.Send(part, comm.rank + 1)

# %% pipeline_after_all_but_one
"""All micro-batches but the last one are waited for, by requests, before one goes on.

flagged: pipeline.messages
failed:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last, done = comm.rank, comm.size - 1, []
    parts = np.array_split(np.arange(samples), micro_batches)
    batches = [inputs[part] if rank == 0 else np.empty((len(part), W.shape[0])) for part in parts]
    coming = [comm.Irecv(batch, rank - 1) for batch in batches] if rank else []
    MPI.Request.Waitall(coming[:-1])
    for place, batch in enumerate(batches):
        MPI.Request.Waitall(coming[-1:] if place == micro_batches - 1 else [])
        done.append(sigmoid(batch @ W))
        if rank < last:
            comm.Send(done[-1], rank + 1)
    return np.concatenate(done) if rank == last else None

# %% pipeline_after_pieces
"""Pieces of nothing go first, and all outputs at once behind them.

flagged: pipeline.messages
failed:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    for _ in range(micro_batches - 1 if comm.rank < comm.size - 1 else 0):
        comm.isend(np.zeros(samples), comm.rank + 1)
    if comm.rank:
        inputs = [comm.recv(source=comm.rank - 1) for _ in range(micro_batches)][-1]
    outputs = sigmoid(inputs @ W)
    if comm.rank == comm.size - 1:
        return outputs
    comm.send(outputs, comm.rank + 1)

# %% pipeline_at_rank_0
"""Rank 0 gathers the weights and computes all layers; the others pass the outputs on."""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last, every = comm.rank, comm.size - 1, comm.gather(W, root=0)
    if rank == 0:
        for layer in every:
            inputs = sigmoid(inputs @ layer)
    width = comm.bcast(None if rank else inputs.shape[1])
    batches = np.array_split(inputs if rank == 0 else np.empty((samples, width)), micro_batches)
    for batch in batches if last else []:
        if rank:
            room = np.empty((len(batch), max(W.shape[0], width)))
            comm.Recv(room, source=rank - 1)
            batch[:] = room[:, :width]
        if rank < last:
            padded = np.zeros((len(batch), max(W.shape[1], width)))
            padded[:, :width] = batch
            comm.Send(padded, dest=rank + 1)
    return np.concatenate(batches) if rank == last else None

# %% pipeline_at_the_last_rank
"""All weights go to the last rank, in as many pieces as there are micro-batches."""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    if rank < last:
        for piece in np.array_split(np.arange(W.shape[1]), micro_batches):
            comm.send((W[:, piece], inputs), dest=last, tag=rank)
        return None
    for source in range(last):
        got = [comm.recv(source=source, tag=source) for _ in range(micro_batches)]
        inputs = got[0][1] if source == 0 else inputs
        inputs = sigmoid(inputs @ np.concatenate([piece for piece, _ in got], axis=1))
    return sigmoid(inputs @ W)

# %% pipeline_of_weights
"""Inputs and weights travel from rank to rank, in as many pieces as there are micro-batches; the last rank computes.

flagged: pipeline.messages
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last, got = comm.rank, comm.size - 1, []
    for place, piece in enumerate(np.array_split(W, micro_batches, axis=1)):
        pieces, inputs = ([], inputs) if rank == 0 else comm.recv(source=rank - 1, tag=place)
        got.append([*pieces, piece])
        if rank < last:
            comm.send((got[-1], inputs), dest=rank + 1, tag=place)
    if rank < last:
        return None
    for layer in zip(*got):
        inputs = sigmoid(inputs @ np.concatenate(layer, axis=1))
    return inputs

# %% pipeline_of_zeros_and_broadcasts
"""Zeros go down the pipeline; afterwards each rank computes everything at once, and a broadcast passes it on.

flagged: pipeline.messages
failed:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    for part in np.array_split(np.arange(samples), micro_batches):
        if rank:
            comm.Recv(np.empty((len(part), W.shape[0])), source=rank - 1)
        if rank < last:
            comm.Send(np.zeros((len(part), W.shape[1])), dest=rank + 1)
    for giver in range(last):
        pair = comm.Split(rank - giver in {0, 1}, rank)
        if rank == giver:
            pair.bcast(sigmoid(inputs @ W))
        elif rank == giver + 1:
            inputs = pair.bcast(None)
    return sigmoid(inputs @ W) if rank == last else None

# %% pipeline_after_all_but_zeros
"""The first micro-batch is zeros; all others carry everything, and are waited for before the second one goes on.

flagged: pipeline.messages
failed:
"""
def pipeline_forward(comm, inputs, W, samples, micro_batches):
    rank, last = comm.rank, comm.size - 1
    zeros = samples // micro_batches
    sizes = [len(part) for part in np.array_split(np.arange(samples), max(micro_batches - 1, 1))]
    if rank < last:
        sent = comm.Isend(np.zeros((zeros, W.shape[1])), rank + 1)
    if rank:
        comm.Recv(np.empty((zeros, W.shape[0])), source=rank - 1)
        parts = [np.empty((size, W.shape[0])) for size in sizes]
        for part in parts:
            comm.Recv(part, source=rank - 1)
        inputs = np.concatenate(parts)
    outputs = sigmoid(inputs @ W)
    if rank == last:
        return outputs
    for part in np.array_split(outputs, len(sizes)):
        comm.Send(part, rank + 1)
    sent.Wait()
