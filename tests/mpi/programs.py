"""Small MPI programs, right and wrong, for the tests beside this file."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from mpi4py import MPI

from grader.mpi.objects import IN_PLACE, NOTHING, read_spec

WORLD = MPI.COMM_WORLD


def uses_world(here, value):
    """Use the communicator that was bound when this file was imported."""
    return {"same": WORLD is here.comm, "total": WORLD.allreduce(value)}


def all_kinds(here, length):
    """Use many calls; return what came of them."""
    rank, size = here.comm.rank, here.comm.size
    own, left = np.full(length, rank + 1.0), np.empty(length)
    here.comm.Sendrecv(own, (rank + 1) % size, rank, left, (rank - 1) % size, (rank - 1) % size)
    later = np.empty(length)
    requests = [here.comm.Isend(own, (rank + 1) % size, 7), here.comm.Irecv(later, (rank - 1) % size, 7)]
    MPI.Request.Waitall(requests)
    total = np.empty(length)
    here.comm.Allreduce(left, total)
    gathered = here.comm.gather({"rank": rank}, root=0)
    status = MPI.Status()
    if rank:
        here.comm.send("hello", 0, 5)
    names = [here.comm.recv(source=MPI.ANY_SOURCE, tag=5, status=status) for _ in range(size - 1)] if rank == 0 else []
    even = here.comm.Split(rank % 2, rank)
    counts = [length // size + (one < length % size) for one in range(size)]
    part = np.empty(counts[rank])
    here.comm.Scatterv([np.arange(float(length)), counts, None, MPI.DOUBLE] if rank == 0 else None, part)
    here.comm.Ibarrier().Wait()
    found = {"left": left[0], "later": later[-1], "total": total[0], "gathered": len(gathered or [])}
    return {**found, "names": len(names), "even": even.allreduce(rank), "part": part.sum()}


def long_messages(here, length):
    """Send more than the library holds back, and receive late."""
    right, left = (here.comm.rank + 1) % here.comm.size, (here.comm.rank - 1) % here.comm.size
    got = np.empty(length)
    request = here.comm.Isend(np.full(length, float(here.comm.rank)), right)
    here.comm.Barrier()
    here.comm.Recv(got, left)
    request.Wait()
    return {"got": got[-1]}


def many_messages(here, count):
    """Send numbers one by one, so often that the library is full, and wait for them when other ranks have returned."""
    right, left = (here.comm.rank + 1) % here.comm.size, (here.comm.rank - 1) % here.comm.size
    sent = [here.comm.Isend(number, right) for number in np.arange(float(count)).reshape(-1, 1)]
    got = np.zeros((count, 1))
    for number in got:
        here.comm.Recv(number, left)
    MPI.Request.Waitall(sent if here.rank % 2 else sent[:1])
    return {"got": got.sum()}


def null_requests(here):
    """Wait for requests of which some were never begun."""
    requests, got = [MPI.REQUEST_NULL] * 3, np.zeros(1)
    if here.comm.rank == 0:
        requests[1] = here.comm.Isend(np.ones(1), 1)
    elif here.comm.rank == 1:
        requests[2] = here.comm.Irecv(got, 0)
    MPI.Request.Waitall(requests)
    return {"got": got[0], "nothing": MPI.REQUEST_NULL.Test() and MPI.Request.Waitany(requests) == MPI.UNDEFINED}


def other_collective(here):
    values = np.zeros(3)
    if here.comm.rank == 2:
        here.comm.Bcast(values)
    else:
        here.comm.Allreduce(MPI.IN_PLACE, values)


def other_collective_beside_one_that_sleeps(here):
    time.sleep(1000) if here.comm.rank == 1 else other_collective(here)


def does_not_fit(here, name):
    """Name something else on rank 1 than on the others."""
    comm, own, is_other = here.comm, np.ones(4), here.rank == 1
    {
        "roots": lambda: comm.Bcast(own, root=int(is_other)),
        "counts": lambda: comm.Allreduce(MPI.IN_PLACE, own[:3] if is_other else own),
        "types": lambda: comm.Reduce(own.astype(np.int64) if is_other else own, np.empty(4)),
        "parts": lambda: comm.Gather(own[:2] if is_other else own, np.empty(4 * comm.size)),
        "parts of v": lambda: comm.Scatterv([np.ones(9), [3] * 3] if here.rank == 0 else None, own[:2]),
        "room": lambda: comm.Send(np.zeros(10), 0) if is_other else here.rank or comm.Recv(own, 1),
        "types of a message": lambda: comm.Send(np.ones(4, int), 0) if is_other else here.rank or comm.Recv(own, 1),
        "reductions": lambda: comm.allreduce(1, MPI.MAX if is_other else MPI.SUM),
        "pickled": lambda: comm.send(own, 0) if is_other else here.rank or comm.Recv(own, 1),
    }[name]()


def cycle_of_sends(here):
    here.comm.Send(np.zeros(3), (here.comm.rank + 1) % here.comm.size)
    here.comm.Recv(np.zeros(3), (here.comm.rank - 1) % here.comm.size)


def never_joins(here):
    if here.comm.rank != 1:
        here.comm.Barrier()


def begins_alone(here):
    if here.comm.rank == 1:
        here.comm.Ibarrier()


def at_rank_1(act):
    """Return a program whose rank 1 does something before the ranks meet."""

    def program(here):
        if here.comm.rank == 1:
            act()
        here.comm.Barrier()

    return program


sleeps, dies = at_rank_1(lambda: time.sleep(1000)), at_rank_1(lambda: os._exit(3))
computes_for_ever = at_rank_1(lambda: computes_alone(None))
killed, raises = at_rank_1(lambda: os.kill(os.getpid(), 9)), at_rank_1(lambda: int("no number"))


def raises_while(here, other):
    """Rank 1 raises while the other one returns, waits, or gets no processor any more."""
    if here.comm.rank == 1:
        raise ValueError
    stops(here, 0) if other == "stops" else here.comm.Barrier() if other == "waits" else None


def stops(here, rank):
    """One rank gets no processor any more, as on a machine that is too busy."""
    if here.comm.rank == rank:
        os.kill(os.getpid(), signal.SIGSTOP)
    here.comm.Barrier()


def computes_alone(here):
    del here
    while True:
        pass


def computes_before_it_receives(here):
    """Rank 0 sends what rank 1 has asked for, and will never wait for."""
    here.comm.Send(np.ones(1), 1) if here.rank == 0 else None
    computes_alone(here.comm.Irecv(np.zeros(1), 0)) if here.rank == 1 else here.comm.Barrier()


def computes_beside_one_that_sleeps(here):
    time.sleep(1000) if here.comm.rank == 1 else computes_alone(here)


def pauses(here, seconds):
    if here.comm.rank == 1:
        time.sleep(seconds)
    here.comm.Barrier()


def announces(here, data, where="socket:"):
    """Rank 1 writes these bytes to the coordinator, as a submission may that looks for open files."""
    if here.comm.rank == 1:
        for link in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                if str(link.readlink()).startswith(where):
                    os.write(int(link.name), data.encode("latin-1"))
        time.sleep(1.0)  # until it was read
    here.comm.Barrier()


def returns_too_much(here):
    return ["x" * 20_000] * 1800 if here.rank else []


def unreceived(here):
    if here.comm.rank == 1:
        here.comm.isend("hello", 0, 3)


def tests_for_ever(here):
    request = here.comm.Irecv(np.zeros(3), (here.comm.rank + 1) % here.comm.size)
    while not request.Test():
        pass


def specs(_here):
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
    for spec in ([array, 3, MPI.DOUBLE], [array, [2, 2, 2, 2], 3, MPI.DOUBLE], [array, None, 3, MPI.DOUBLE]):
        with suppress(ValueError):  # 4 times 3 items, and items from the ninth on
            found["too long"] = read_spec(spec, 4)
    found["for each"] = read_spec([array, 2, MPI.DOUBLE], 4)
    assert (read_spec(None), read_spec(MPI.IN_PLACE)) == (NOTHING, IN_PLACE)
    return {name: [one.size_bytes, one.dtype, list(one.parts)] for name, one in found.items()}


def counts_for_each(here):
    """Name one count, which mpi4py takes for each rank; and deal out what is no list."""
    size, own = here.comm.size, np.full(2, here.comm.rank + 1.0)
    gathered, spaced, dealt = np.zeros(2 * size), np.zeros(3 * size), np.zeros(2)
    here.comm.Gather(own, [gathered, 2, MPI.DOUBLE])
    here.comm.Gatherv(own, [spaced, (2, 3), MPI.DOUBLE])
    here.comm.Scatter([gathered, 2, MPI.DOUBLE], dealt)
    again = np.zeros(2)
    here.comm.Scatterv([gathered, 2, [0] * size, MPI.DOUBLE], again)
    here.comm.Allgather(MPI.IN_PLACE, [gathered, 2, MPI.DOUBLE])
    word = here.comm.scatter(f"word {rank}" for rank in range(size))
    words = here.comm.alltoall(f"{here.comm.rank} to {rank}" for rank in range(size))
    return {"spaced": spaced, "dealt": dealt, "again": again, "word": word, "words": words}


def gathers_in_place(here):
    """Give parts of different sizes, each from where it is to lie."""
    counts = [rank + 1 for rank in range(here.comm.size)]
    whole = np.full(sum(counts), float(here.comm.rank))
    here.comm.Allgatherv(MPI.IN_PLACE, [whole, counts, MPI.DOUBLE])
    return {"whole": whole}


def not_a_buffer(here):
    """Send what is no buffer, and count wrongly; return what was raised."""
    found = []
    for act in (
        lambda: here.comm.Isend(5, 0),
        lambda: here.comm.alltoall([1] * 9),
        lambda: here.comm.scatter([1] * 9, here.comm.rank),
    ):
        try:
            act()
        except (TypeError, ValueError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return {"found": found}


def not_traced(here):
    """Write into another rank's memory, which is not followed."""
    memory = np.zeros(1)
    window = MPI.Win.Create(memory, comm=here.comm)
    window.Fence()
    window.Put(np.full(1, 3.0), 1) if here.rank == 0 else None
    window.Fence()
    return {"put": memory[0]}


def makes(here):
    """Use communicators that the library makes, and a type that is made of others."""
    comm, rank, size = here.comm, here.rank, here.size
    turned = comm.Create(comm.group.Incl([*range(size)][::-1]))
    even = comm.Create_group(comm.group.Incl([0, 2])) if rank % 2 == 0 else MPI.COMM_SELF
    ring, near, matrix, got = comm.Create_cart([size], [True]), np.zeros(2), np.arange(12.0), np.zeros(12)
    ring.Neighbor_allgather(np.full(1, float(rank)), near)
    column = MPI.DOUBLE.Create_vector(3, 1, 4).Commit()
    ring.Sendrecv([matrix, 1, column], (rank + 1) % size, 0, [got, 1, column])
    freed = turned.Dup()
    freed.Free()
    gone = [freed == MPI.COMM_NULL, isinstance(MPI.COMM_SELF, MPI.Intracomm)]
    return {"turned": turned.rank, "even": even.allreduce(rank), "near": near, "got": got.nonzero()[0], "gone": gone}


def opens_an_array(here):
    """Take an array as if it were an object."""
    if here.rank == 0:
        here.comm.Send(np.frombuffer(b"I1\n.", np.uint8), 1)
        return None
    return here.comm.Mprobe().recv()


def takes(here):
    """Take messages by probes, before they are received."""
    if here.rank == 0:
        here.comm.send("four", 1, 4)
        here.comm.Send(np.full(2, 5.0), 1, 5)
        return None
    first, second, array = MPI.Status(), MPI.Status(), np.zeros(2)
    word = here.comm.mprobe(0, 4, first)
    here.comm.Mprobe(status=second).Irecv(array).Wait()
    found = {"tags": [first.tag, second.tag], "word": word.recv(), "array": array.tolist()}
    return {**found, "nothing": here.comm.Improbe() is None}


def deal(here, are_exchanged):
    """Receive two numbers from rank 0 in several ways, and one in another type; return them."""
    pair, own = np.array([2.0, 4.0]), here.comm.rank == 0
    arrived = here.exchange(pair, np.array([5.0, 6.0])) if are_exchanged and here.rank == 1 else np.zeros(2, bool)
    found = here.comm.scatter([{"pair": pair}] * here.comm.size if own else None)["pair"]
    counts, none = [2] + [0] * (here.comm.size - 1), np.empty(2)
    given = np.tile(pair, here.comm.size) if own else np.empty(0)
    here.comm.Alltoallv([given, [2 * own] * here.comm.size, MPI.DOUBLE], [none, counts, MPI.DOUBLE])
    whole = np.tile(pair, here.comm.size)
    here.comm.Allgatherv(MPI.IN_PLACE, [whole, [2] * here.comm.size, MPI.DOUBLE])
    number = here.comm.bcast(np.array([8]), root=0)
    lists = here.comm.allgather(pair), here.comm.alltoall([pair] * here.comm.size)
    floats = np.array(here.comm.bcast({"floats": (2.0, 4.0)})["floats"])
    named = {"found": found, "dealt": none, "whole": whole, "number": number, "lists": np.array(lists)}
    return {**named, "floats": floats, "arrived": arrived}


def _scatter_from(comm, own, root):
    """Give rank 0 an array of the root's."""
    counts = [own.size, *[0] * (comm.size - 1)]
    comm.Scatterv([own, counts] if comm.rank == root else None, np.empty(own.size if comm.rank == 0 else 0), root)


def _send_in_pieces(comm, own):
    """Send rank 0 an array of rank 1 in two messages."""
    for piece in np.split(own, 2):
        comm.Send(piece, 0) if comm.rank == 1 else comm.Recv(piece, 1) if comm.rank == 0 else None


CALLS = {
    "Bcast": lambda comm, own: comm.Bcast(own),
    "Scatterv": lambda comm, own: comm.Scatterv(np.tile(own, 3) if comm.rank == 0 else None, own),
    "Gatherv": lambda comm, own: comm.Gatherv(own, np.empty(30) if comm.rank == 0 else None),
    "Allgather": lambda comm, own: comm.Allgather(own, np.empty(30)),
    "Alltoallv": lambda comm, own: comm.Alltoallv([np.tile(own, 3), [10] * 3], [np.empty(30), [10] * 3]),
    "Reduce": lambda comm, own: comm.Reduce(own, np.empty(10) if comm.rank == 0 else None),
    "Allreduce": lambda comm, own: comm.Allreduce(MPI.IN_PLACE, own),
    "Reduce_by_own": lambda comm, own: comm.Reduce(
        own, np.empty(10) if comm.rank == 2 else None, MPI.Op.Create(lambda _one, _other, _type: None), 2
    ),
    "Sendrecv": lambda comm, own: comm.Sendrecv(own, (comm.rank + 1) % 3, 0, np.empty(10)),
    "Neighbor_alltoall": lambda comm, own: comm.Create_cart([3], [True]).Neighbor_alltoall(
        [own, 5, MPI.DOUBLE], [np.empty(10), 5, MPI.DOUBLE]
    ),
    "to_itself": lambda comm, own: comm.Sendrecv(own, comm.rank, 0, np.empty(10)),
    "Iallgather": lambda comm, own: comm.Iallgather(own, np.empty(30)),
    "empty": lambda comm, own: comm.Send(own[:0], 0, 7) if comm.rank == 1 else comm.rank or comm.Recv(own, 1),
    "in_pieces": _send_in_pieces,
    "Scatterv_back": lambda comm, own: _scatter_from(comm, own, 1),
    "bcast": lambda comm, own: comm.bcast(own),
    "scatter": lambda comm, own: comm.scatter([own] * 3),
    "gather": lambda comm, own: comm.gather(own),
    "allgather": lambda comm, own: comm.allgather(own),
    "alltoall": lambda comm, own: comm.alltoall([own] * 3),
    "reduce": lambda comm, own: comm.reduce(own),
    "allreduce": lambda comm, own: comm.allreduce(own),
    "scan": lambda comm, own: comm.scan(own),
}


KEPT = []


def keeps_a_request(here, again):
    """Begin a call in one run, and wait for it at the end of the next."""
    if not again:
        KEPT.append(here.comm.Isend(np.ones(1), MPI.PROC_NULL))
        return
    for _ in range(2):
        here.comm.Barrier()
    KEPT.pop().Wait()


def looks_for_what_others_sent(here):
    """Return how many numbers that rank 1 keeps for itself are in new memory of this rank."""
    np.empty(3_800_000)  # from now on, malloc takes large arrays from the heap
    items = [None, np.full(300_000, 3.25)] if here.rank else None
    here.comm.scatter(items, root=1)
    return {"left": int((np.empty(300_100) == 3.25).sum())}


def receive(here, name):
    """Make one call with an array of 80 bytes."""
    CALLS[name](here.comm, np.ones(10))
