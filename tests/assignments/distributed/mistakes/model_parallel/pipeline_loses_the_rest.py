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
