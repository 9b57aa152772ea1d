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
