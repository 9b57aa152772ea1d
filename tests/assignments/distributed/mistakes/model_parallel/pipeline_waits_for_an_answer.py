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
