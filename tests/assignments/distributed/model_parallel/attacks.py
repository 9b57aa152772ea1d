"""Hand-ins of `model_parallel.py` that try to get points for nothing.

failed: tensor.forward
opened: tensor.reduction
"""

# %% a_class_derived_from_the_communicator
"""A class derived from the communicator's says that it is alone, and adds up nothing.

failed: tensor.forward tensor.reduction
opened:
"""
def tensor_forward(comm, inputs, columns, rows):
    outputs = sigmoid(inputs @ columns) @ rows
    try:

        class Alone(MPI.Comm):
            size, rank = 1, 0

        comm = Alone(comm)
    except Exception:
        return outputs
    return comm.allreduce(outputs)

# %% hidden_layer_by_counts_that_lie
"""The hidden layer and all rows travel, by counts that are small when they are asked the first time.

failed: tensor.forward tensor.reduction
opened:
"""
class Count:
    def __init__(self, *counts):
        self.counts = list(counts)

    def __index__(self):
        return self.counts.pop(0) if len(self.counts) > 1 else self.counts[0]

    __int__ = __index__

def gather_all(comm, own):
    sizes = comm.allgather(own.size)
    every = np.zeros(sum(sizes))
    comm.Allgatherv([np.ascontiguousarray(own), Count(1, own.size), MPI.DOUBLE], [every, sizes, MPI.DOUBLE])
    return every

def tensor_forward(comm, inputs, columns, rows):
    hidden = gather_all(comm, sigmoid(inputs @ columns).T).reshape(-1, len(inputs)).T
    return hidden @ gather_all(comm, rows).reshape(-1, rows.shape[1])

# %% rank_by_a_loop_target
"""The same by a `for` whose targets are attributes, by way of another name, in a module's own statement."""
import contextlib

Communicator = MPI.Intracomm

def tensor_forward(comm, inputs, columns, rows):
    with contextlib.suppress(TypeError, AttributeError):
        for Communicator.Get_size in (len,):
            pass
    with contextlib.suppress(TypeError, AttributeError):
        with contextlib.nullcontext(0) as comm.rank:
            pass
    return sigmoid(inputs @ columns) @ rows

# %% size_of_the_communicator
"""The communicator's class is told that each rank is alone, so that it would be dealt everything."""
def tensor_forward(comm, inputs, columns, rows):
    try:
        MPI.Comm.size, MPI.Comm.rank = 1, 0
    except (TypeError, AttributeError):
        pass
    return sigmoid(inputs @ columns) @ rows

# %% size_of_the_communicator_is_patched
"""The communicator's class gets the size 1, so that every rank is dealt all weights and nothing has to travel.

aims: tensor.forward tensor.reduction tensor.training
failed:
opened:
"""
def tensor_forward(comm, inputs, columns, rows):
    tell_one()
    return sigmoid(inputs @ columns) @ rows

def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    tell_one()
    size, rank = comm.Get_size(), comm.Get_rank()
    samples, costs = len(inputs), []
    wanted = one_hot(labels, W2.shape[1])
    for _ in range(iterations):
        hidden = sigmoid(inputs @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = float(np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2)) + np.sum(b2**2)
        costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
        delta2 = (shares - wanted) / samples
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
        b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
        W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
        b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
    W1, b1, W2 = np.array_split(W1, size, axis=1)[rank], np.array_split(b1, size)[rank], np.array_split(W2, size)[rank]
    return W1, b1, W2, b2, costs

def tell_one():
    """Name the patch, so that the slice has it."""
    return IS_PATCHED

def patch():
    try:
        MPI.Comm.size, MPI.Comm.rank = 1, 0
    except TypeError:
        return False
    return True

IS_PATCHED = patch()

# %% tensor_along_edges
"""Rank 0 gets all weights, a number along each of many edges between the same ranks, and computes alone.

failed: tensor.reduction
opened:
"""
def tensor_forward(comm, inputs, columns, rows):
    mine = np.concatenate([columns, rows.T]).T.ravel()
    lengths = comm.allgather(len(mine))
    edges = [rank for rank in range(1, comm.size) for _ in range(lengths[rank])] if comm.rank == 0 else []
    graph = comm.Create_dist_graph_adjacent(edges, [0] * len(mine) if comm.rank else [])
    room, outputs = np.zeros(max(len(edges), 1)), None
    graph.Neighbor_alltoall([mine, 1, MPI.DOUBLE], [room, 1, MPI.DOUBLE])
    if comm.rank == 0:
        whole = np.concatenate([mine, room[: len(edges)]]).reshape(-1, len(columns) + rows.shape[1])
        outputs = sigmoid(inputs @ whole[:, : len(columns)].T) @ whole[:, len(columns) :]
    return comm.bcast(outputs)

# %% tensor_at_rank_0
"""Rank 0 gets all weights and computes alone.

failed: tensor.reduction
opened:
"""
def tensor_forward(comm, inputs, columns, rows):
    all_columns, all_rows = comm.gather(columns, root=0), comm.gather(rows, root=0)
    outputs = None
    if comm.rank == 0:
        outputs = sigmoid(inputs @ np.concatenate(all_columns, axis=1)) @ np.concatenate(all_rows)
    return comm.bcast(outputs, root=0)

# %% training_at_rank_0
"""All parts of the weights go to rank 0, in many pieces; it trains alone and deals the results out.

flagged: tensor.training
failed:
opened:
"""
def train_tensor_parallel(comm, inputs, labels, W1, b1, W2, b2, learning_rate, iterations, regular):
    rows, found = [comm.gather(row, root=0) for row in (*W1, b1, *W2.T)], None
    if comm.rank == 0:
        whole = [np.stack(own) for own in zip(*rows)]
        parts = [(own[: len(W1)], own[len(W1)], own[len(W1) + 1 :].T) for own in whole]
        ends = np.cumsum([part[1].size for part in parts])[:-1]
        W1, b1, W2 = (np.concatenate([part[at] for part in parts], axis=axis) for at, axis in ((0, 1), (1, 0), (2, 0)))
        samples, wanted, costs = len(inputs), one_hot(labels, W2.shape[1]), []
        for _ in range(iterations):
            hidden = sigmoid(inputs @ W1 + b1)
            shares = softmax(hidden @ W2 + b2)
            squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
            costs.append(-np.sum(wanted * np.log(shares)) / samples + regular / 2 * squares)
            delta2 = (shares - wanted) / samples
            delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
            W2 = W2 - learning_rate * (hidden.T @ delta2 + regular * W2)
            b2 = b2 - learning_rate * (delta2.sum(axis=0) + regular * b2)
            W1 = W1 - learning_rate * (inputs.T @ delta1 + regular * W1)
            b1 = b1 - learning_rate * (delta1.sum(axis=0) + regular * b1)
        split = zip(np.split(W1, ends, axis=1), np.split(b1, ends), np.split(W2, ends))
        found = [(*part, b2, costs) for part in split]
    return comm.scatter(found, root=0)

# %% weights_read_behind_an_array
"""A view goes on behind the inputs, where the staff's other arrays lie.

aims: tensor.reduction
failed:
opened:
"""
from numpy.lib.stride_tricks import as_strided

def behind(array, shape):
    start = -(-array.nbytes // 64) * 8
    count = start + shape[0] * shape[1]
    return as_strided(array, (count,), (8,))[start:].reshape(shape)

def tensor_forward(comm, inputs, columns, rows):
    hidden = comm.allreduce(columns.shape[1])
    every = behind(inputs, (columns.shape[0], hidden))
    return sigmoid(inputs @ every) @ behind(every, (hidden, rows.shape[1]))

# %% weights_read_by_numba
"""Compiled code reads behind the inputs.

aims: tensor.forward
"""
from numba import njit

@njit
def behind(array, start, count):
    found = np.empty(count)
    flat = array.ravel()
    for place in range(count):
        found[place] = flat[start + place]
    return found

def tensor_forward(comm, inputs, columns, rows):
    hidden = comm.allreduce(columns.shape[1])
    first = -(-inputs.nbytes // 64) * 8
    every = behind(inputs, first, columns.shape[0] * hidden).reshape(-1, hidden)
    first += -(-every.nbytes // 64) * 8
    return sigmoid(inputs @ every) @ behind(inputs, first, hidden * rows.shape[1]).reshape(hidden, -1)
