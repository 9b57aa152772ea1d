"""Small MPI programs, right and wrong, for the tests beside this file."""

import os
import time

import numpy as np
from mpi4py import MPI

from grader.ranks.buffers import NOTHING, read_spec

WORLD = MPI.COMM_WORLD


def uses_world(comm, value):
    """Use the communicator that was bound when this file was imported."""
    return {"same": WORLD is comm, "total": WORLD.allreduce(value)}


def all_kinds(comm, length):
    """Use many calls; return what came of them."""
    rank, size = comm.rank, comm.size
    own, left = np.full(length, rank + 1.0), np.empty(length)
    comm.Sendrecv(own, (rank + 1) % size, 0, left, (rank - 1) % size)
    later = np.empty(length)
    requests = [comm.Isend(own, (rank + 1) % size, 7), comm.Irecv(later, (rank - 1) % size, 7)]
    MPI.Request.Waitall(requests)
    total = np.empty(length)
    comm.Allreduce(left, total)
    gathered = comm.gather({"rank": rank}, root=0)
    status = MPI.Status()
    if rank:
        comm.send("hello", 0, 5)
    names = [comm.recv(source=MPI.ANY_SOURCE, tag=5, status=status) for _ in range(size - 1)] if rank == 0 else []
    even = comm.Split(rank % 2, rank)
    counts = [length // size + (one < length % size) for one in range(size)]
    part = np.empty(counts[rank])
    comm.Scatterv([np.arange(float(length)), counts, None, MPI.DOUBLE] if rank == 0 else None, part)
    comm.Ibarrier().Wait()
    return {
        "left": left[0],
        "later": later[-1],
        "total": total[0],
        "gathered": len(gathered or []),
        "names": len(names),
        "even": even.allreduce(rank),
        "part": part.sum(),
        "peeked": status.Get_tag() if rank == 0 else 5,
    }


def long_messages(comm, length):
    """Send more than the library holds back, and receive late."""
    right, left = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    got = np.empty(length)
    request = comm.Isend(np.full(length, float(comm.rank)), right)
    comm.Barrier()
    comm.Recv(got, left)
    request.Wait()
    return {"got": got[-1]}


def null_requests(comm):
    """Wait for requests of which some were never begun."""
    requests, got = [MPI.REQUEST_NULL] * 3, np.zeros(1)
    if comm.rank == 0:
        requests[1] = comm.Isend(np.ones(1), 1)
    elif comm.rank == 1:
        requests[2] = comm.Irecv(got, 0)
    MPI.Request.Waitall(requests)
    return {"got": got[0], "nothing": MPI.REQUEST_NULL.Test() and MPI.Request.Waitany(requests) == MPI.UNDEFINED}


def other_collective(comm):
    values = np.zeros(3)
    if comm.rank == 2:
        comm.Bcast(values)
    else:
        comm.Allreduce(MPI.IN_PLACE, values)


def cycle_of_sends(comm):
    comm.Send(np.zeros(3), (comm.rank + 1) % comm.size)
    comm.Recv(np.zeros(3), (comm.rank - 1) % comm.size)


def never_joins(comm):
    if comm.rank != 1:
        comm.Barrier()


def begins_alone(comm):
    if comm.rank == 1:
        comm.Ibarrier()


def computes_for_ever(comm):
    while comm.rank == 1:
        pass
    comm.Barrier()


def sleeps(comm):
    if comm.rank == 1:
        time.sleep(1000)
    comm.Barrier()


def dies(comm):
    if comm.rank == 1:
        os._exit(3)
    comm.Barrier()


def killed(comm):
    if comm.rank == 1:
        os.kill(os.getpid(), 9)
    comm.Barrier()


def raises(comm):
    if comm.rank == 1:
        raise ValueError
    comm.Barrier()


def unreceived(comm):
    if comm.rank == 1:
        comm.isend("hello", 0, 3)


def no_room(comm):
    if comm.rank == 0:
        comm.Send(np.zeros(10), 1)
    elif comm.rank == 1:
        comm.Recv(np.zeros(5), 0)


def tests_for_ever(comm):
    request = comm.Irecv(np.zeros(3), (comm.rank + 1) % comm.size)
    while not request.Test():
        pass


def specs(_comm):
    """Return what the tracer reads in buffers as mpi4py takes them: bytes, type and parts."""
    array = np.zeros(10)
    cases = {
        "array": array,
        "type": [array, MPI.DOUBLE],
        "letter": [array, "d"],
        "count": [array, 4, MPI.DOUBLE],
        "counts": [array, [3, 7], MPI.DOUBLE],
        "pair": [array, (2, 3), MPI.DOUBLE],
        "displaced": [array, ([3, 7], [0, 3]), MPI.DOUBLE],
        "four": [array, [3, 7], [0, 3], MPI.DOUBLE],
        "single": np.zeros(4, np.float32),
        "integers": np.zeros(4, int),
        "bytes": bytearray(5),
    }
    found = {name: read_spec(spec) for name, spec in cases.items()}
    assert read_spec(None) is read_spec(MPI.IN_PLACE) is NOTHING
    return {name: [one.size_bytes, one.dtype, list(one.parts)] for name, one in found.items()}


def counts_for_each(comm):
    """Name one count, which mpi4py takes for each rank; and deal out what is no list."""
    size, own = comm.size, np.full(2, comm.rank + 1.0)
    gathered, spaced, dealt = np.zeros(2 * size), np.zeros(3 * size), np.zeros(2)
    comm.Gather(own, [gathered, 2, MPI.DOUBLE])
    comm.Gatherv(own, [spaced, (2, 3), MPI.DOUBLE])
    comm.Scatter([gathered, 2, MPI.DOUBLE], dealt)
    again = np.zeros(2)
    comm.Scatterv([gathered, 2, [0] * size, MPI.DOUBLE], again)
    comm.Allgather(MPI.IN_PLACE, [gathered, 2, MPI.DOUBLE])
    word = comm.scatter(f"word {rank}" for rank in range(size))
    words = comm.alltoall(f"{comm.rank} to {rank}" for rank in range(size))
    return {"spaced": spaced, "dealt": dealt, "again": again, "word": word, "words": words}


def not_a_buffer(comm):
    """Send what is no buffer, and count wrongly; return what was raised."""
    found = []
    for act in (lambda: comm.Isend(5, 0), lambda: comm.alltoall([1] * 9), lambda: comm.scatter([1] * 9, comm.rank)):
        try:
            act()
        except (TypeError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return {"found": found}


def made_type(comm):
    """Use a type that is made of others."""
    column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
    comm.Bcast([np.zeros(12), 1, column])


def not_traced(comm):
    """Ask for what is not traced."""
    comm.Create_cart([comm.size])


def deal(comm):
    """Receive two numbers from rank 0 in several ways, and one in another type; return them."""
    pair, own = np.array([2.0, 4.0]), comm.rank == 0
    found = comm.scatter([{"pair": pair}] * comm.size if own else None)["pair"]
    counts, none = [2] + [0] * (comm.size - 1), np.empty(2)
    given = np.tile(pair, comm.size) if own else np.empty(0)
    comm.Alltoallv([given, [2 * own] * comm.size, MPI.DOUBLE], [none, counts, MPI.DOUBLE])
    whole = np.tile(pair, comm.size)
    comm.Allgatherv(MPI.IN_PLACE, [whole, [2] * comm.size, MPI.DOUBLE])
    number = comm.bcast(np.array([8]), root=0)
    return {"found": found, "dealt": none, "whole": whole, "number": number}
