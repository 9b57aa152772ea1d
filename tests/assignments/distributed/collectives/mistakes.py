"""Mistakes in `collectives.py`, and what each costs.

failed: ring.bytes
"""

# %% ring_by_allreduce
"""MPI's own Allreduce does the work."""
def ring_allreduce(comm, values):
    total = np.empty(len(values))
    comm.Allreduce(np.array(values, dtype=float), total)
    return total

# %% ring_of_blocking_sends
"""Every rank sends before it receives.

failed: ring.values
skipped: ring.bytes
says: waits in Send to rank 0 (collectives.py:
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Send(leaving, dest=right)
        comm.Recv(arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% ring_of_whole_arrays
"""The whole array goes round, P - 1 times."""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total, passing = np.array(values, dtype=float), np.array(values, dtype=float)
    for _ in range(size - 1):
        arrived = np.empty_like(passing)
        comm.Sendrecv(passing, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        total, passing = total + arrived, arrived
    return total

# %% ring_one_step_short
"""The second round trip ends one step too early.

failed: ring.values
skipped: ring.bytes
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(max(2 * size - 3, 0)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% ring_parts_lose_the_rest
"""The parts lose what does not divide evenly.

failed: ring.values
skipped: ring.bytes
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = [total[at * (len(total) // size) : (at + 1) * (len(total) // size)] for at in range(size)]
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=left)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% ring_returns_the_mean
"""The ring returns the mean.

failed: ring.values
skipped: ring.bytes
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total, passing = np.array(values, dtype=float), np.array(values, dtype=float)
    for _ in range(size - 1):
        arrived = np.empty_like(passing)
        comm.Sendrecv(passing, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        total, passing = total + arrived, arrived
    return total / size

# %% ring_to_everybody
"""Every rank sends its array to every other."""
def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    for away in range(1, comm.size):
        arrived = np.empty(len(values))
        to, source = (comm.rank + away) % comm.size, (comm.rank - away) % comm.size
        comm.Sendrecv(np.array(values, dtype=float), dest=to, recvbuf=arrived, source=source)
        total += arrived
    return total

# %% ring_wrong_neighbour
"""Every rank receives from the rank that it sends to.

failed: ring.values
skipped: ring.bytes
says: Sendrecv from rank
"""
def ring_allreduce(comm, values):
    rank, size = comm.rank, comm.size
    total = np.array(values, dtype=float)
    parts = np.array_split(total, size)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(2 * (size - 1)):
        leaving, coming = parts[(rank - step) % size], parts[(rank - step - 1) % size]
        arrived = np.empty_like(coming)
        comm.Sendrecv(leaving, dest=right, recvbuf=arrived, source=right)
        if step < size - 1:
            coming += arrived
        else:
            coming[:] = arrived
    return total

# %% tree_by_bcast
"""MPI's own Bcast does the work.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    comm.Bcast(values, root=root)
    return values

# %% tree_for_powers_of_two
"""On 3 ranks, one sends to a rank that listens no more.

failed: tree.values
skipped: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_ignores_the_root
"""The tree always begins at rank 0.

failed: tree.values
skipped: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    reach = 1
    while reach < comm.size:
        if comm.rank < reach and comm.rank + reach < comm.size:
            comm.Send(values, dest=comm.rank + reach)
        elif reach <= comm.rank < 2 * reach:
            comm.Recv(values, source=comm.rank - reach)
        reach *= 2
    return values

# %% tree_is_a_chain
"""Each rank sends to the next one: P - 1 rounds.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    if place:
        comm.Recv(values, source=(comm.rank - 1) % comm.size)
    if place < comm.size - 1:
        comm.Send(values, dest=(comm.rank + 1) % comm.size)
    return values

# %% tree_is_flat
"""The root sends to all itself.

failed: tree.messages
"""
def tree_broadcast(comm, values, root=0):
    if comm.rank == root:
        for rank in range(comm.size):
            if rank != root:
                comm.Send(values, dest=rank)
    else:
        comm.Recv(values, source=root)
    return values

# %% tree_receives_into_a_part
"""The room for the array is too small.

failed: tree.values
skipped: tree.messages
says: longer than the room for it
"""
def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size)
        elif reach <= place < 2 * reach:
            comm.Recv(values[1:], source=(place - reach + root) % comm.size)
        reach *= 2
    return values

# %% tree_with_two_tags
"""What is sent with tag 1 is received with tag 2.

failed: tree.values
skipped: tree.messages
says: tag 2 (collectives.py:
"""
def tree_broadcast(comm, values, root=0):
    place = (comm.rank - root) % comm.size
    reach = 1
    while reach < comm.size:
        if place < reach and place + reach < comm.size:
            comm.Send(values, dest=(place + reach + root) % comm.size, tag=1)
        elif reach <= place < 2 * reach:
            comm.Recv(values, source=(place - reach + root) % comm.size, tag=2)
        reach *= 2
    return values
