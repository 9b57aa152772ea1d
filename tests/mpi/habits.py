"""Calls of mpi4py that an honest solution may use, for `test_frozen`."""

import numpy as np
from mpi4py import MPI


def collectives(here):
    """Make each collective call of arrays, waiting and not; return what came, by its name."""
    comm, rank, size = here.comm, here.rank, here.size
    own, whole = np.full(2, rank + 1.0), np.arange(2.0 * size) + 10 * rank
    counts, many = [one + 1 for one in range(size)], size * (size + 1) // 2
    mine = np.full(counts[rank], rank + 1.0)
    rows = [np.arange(float(many)), counts, None, MPI.DOUBLE] if rank == 0 else None
    calls = {
        "Bcast": (np.copy(own), lambda got: (got,)),
        "Scatter": (np.zeros(2), lambda got: (whole if rank == 0 else None, got)),
        "Scatterv": (np.zeros(counts[rank]), lambda got: (rows, got)),
        "Gather": (np.zeros(2 * size), lambda got: (own, got if rank == 0 else None)),
        "Gatherv": (np.zeros(many), lambda got: (mine, [got, counts, None, MPI.DOUBLE] if rank == 0 else None)),
        "Allgather": (np.zeros(2 * size), lambda got: (own, got)),
        "Allgatherv": (np.zeros(many), lambda got: (mine, [got, counts, None, MPI.DOUBLE])),
        "Alltoall": (np.zeros(2 * size), lambda got: (whole, got)),
        "Alltoallv": (np.zeros(2 * size), lambda got: ([whole, [2] * size], [got, [2] * size])),
        "Reduce": (np.zeros(2), lambda got: (own, got if rank == 0 else None)),
        "Allreduce": (np.zeros(2), lambda got: (own, got, MPI.MAX)),
        "Reduce_scatter": (np.zeros(2), lambda got: (whole, got, [2] * size)),
        "Reduce_scatter_block": (np.zeros(2), lambda got: (whole, got)),
        "Scan": (np.zeros(2), lambda got: (own, got)),
        "Exscan": (np.zeros(2), lambda got: (own, got)),
    }
    found = {}
    for name, (got, args) in calls.items():
        later = np.copy(got)
        getattr(comm, name)(*args(got))
        getattr(comm, f"I{name.lower()}")(*args(later)).Wait()
        found[name] = [got, later]
    objects = [comm.scan(rank + 1), comm.exscan(rank + 1) or 0, comm.allreduce(rank + 1)]
    return found | {"objects": [np.array(objects)] * 2}


def requests(here):
    """Wait in each way for messages of both neighbours; return what came."""
    comm, right, left = here.comm, (here.rank + 1) % here.size, (here.rank - 1) % here.size
    found = {}
    for name in ("Waitall", "Waitany", "Waitsome", "Testall", "Testany", "Testsome", "testall", "waitsome", "testany"):
        got = np.zeros((2, 1))
        pending = [comm.Irecv(got[0], left, 1), comm.Irecv(got[1], right, 2)]
        sent = [comm.Isend(np.full(1, 1.0), right, 1), comm.Isend(np.full(1, 2.0), left, 2)]
        statuses, done = [MPI.Status(), MPI.Status()], []
        while len(done) < 2:
            done += ways(name, pending, statuses)
        MPI.Request.Waitall(sent)
        found[name] = [got.ravel().tolist(), sorted(done)]
    return found


def one_waited_for(here):
    """Wait for two messages, of which the first is over already; return source and tag that each status has."""
    comm, right, left = here.comm, (here.rank + 1) % here.size, (here.rank - 1) % here.size
    got = np.zeros((2, 1))
    pending = [comm.Irecv(got[0], left, 1), comm.Irecv(got[1], left, 2)]
    sent = [comm.Isend(np.zeros(1), right, tag) for tag in (1, 2)]
    pending[0].Wait()
    statuses = [MPI.Status(), MPI.Status()]
    MPI.Request.Waitall(pending, statuses)
    MPI.Request.Waitall(sent)
    told = [[status.Get_source(), status.Get_tag()] for status in statuses]
    return [None if one == [MPI.ANY_SOURCE, MPI.ANY_TAG] else one for one in told]


def halves(here):
    """Send from the first to the second rank of each half, which are 0 and 1 there."""
    half = here.comm.Split(here.rank // 2, here.rank)
    if half.Get_rank() == 0:
        half.Send(np.zeros(1), 1)
    else:
        half.Recv(np.zeros(1), 0)


def ways(name, pending, statuses):
    """Wait or test once in one way; return the places that are over."""
    act = getattr(MPI.Request, name)
    match name:
        case "Waitany":
            return [act(pending, statuses[0])]
        case "Waitall" | "Testall" | "testall":
            over = act(pending, statuses)
            return [0, 1] if over is True or over == (True, [None, None]) else []
        case "Testany" | "testany":
            place, is_over, *_ = act(pending, statuses[0])
            return [place] if is_over else []
        case "waitsome":
            return act(pending, statuses)[0] or []
    return act(pending, statuses) or []


def persistent(here):
    """Begin the same messages three times; return what came each time."""
    right, left, own, got = (here.rank + 1) % here.size, (here.rank - 1) % here.size, np.zeros(1), np.zeros(1)
    both, found = [here.comm.Send_init(own, right), here.comm.Recv_init(got, left)], []
    for number in range(3):
        own[0] = 10 * here.rank + number
        MPI.Prequest.Startall(both)
        MPI.Request.Waitall(both)
        found.append(got[0])
    kept = [request != MPI.REQUEST_NULL for request in both]
    for request in both:
        request.Free()
    return {"found": found, "kept": kept, "freed": [request == MPI.REQUEST_NULL for request in both]}


def grid(here):
    """Stand in a ring, in a row with ends, and in a grid of 2 x 2; send round the ring."""
    ring, row = here.comm.Create_cart([here.size], periods=[True]), here.comm.Create_cart([here.size])
    before, behind = ring.Shift(0, 1)
    got = ring.sendrecv(here.rank, behind, source=before)
    square = here.comm.Create_cart((2, 2), (True, False))
    column = square.Sub([True, False])
    return {
        "got": got,
        "ends": list(row.Shift(0, 1)),
        "square": square.Get_coords(square.rank),
        "topo": [square.dims, square.periods, square.coords],
        "back": square.Get_cart_rank([square.coords[0] - 2, square.coords[1]]),
        "column": [column.dims, column.allgather(here.rank)],
        "nobody": here.comm.Create_cart([here.size - 1]) == MPI.COMM_NULL,
        "is_comm": isinstance(ring, MPI.Comm),
    }


def small_calls(here):
    """Ask for names, versions, likeness and the like."""
    comm, status, copy = here.comm, MPI.Status(), here.comm.Dup()
    machine = comm.Split_type(MPI.COMM_TYPE_SHARED, key=-here.rank)
    if here.rank == 0:
        comm.bsend("hello", 1, 3)
        comm.Rsend(np.ones(4), 1, 4)
    elif here.rank == 1:
        comm.recv(source=0, tag=3)
        comm.Recv(np.zeros(9), 0, 4, status)
    return {
        "machine": [machine.rank, machine.size],
        "name": comm.name,
        "alike": [MPI.Comm.Compare(comm, other) for other in (comm, copy, machine)],
        "right": [MPI.IDENT, MPI.CONGRUENT, MPI.SIMILAR],
        "intra": [comm.is_intra, comm.is_inter],
        "status": [status.Get_elements(MPI.DOUBLE), status.count, status.error, status.Is_cancelled()],
        "processor": bool(MPI.Get_processor_name()) and MPI.Wtick() > 0 and MPI.Is_initialized(),
        "nothing": [MPI.Request.Waitsome([MPI.REQUEST_NULL]), MPI.Request.Testany([]), MPI.Request().Test()],
    }


def exchanged(here):
    """Receive arrays by calls that do not wait; return them."""
    own, got, whole = np.array([2.0, 4.0]), np.zeros(2), np.zeros(2 * here.size)
    here.exchange(own, np.array([5.0, 6.0])) if here.rank else None
    here.comm.Iscatter(np.tile(own, here.size) if here.rank == 0 else None, got).Wait()
    here.comm.Iallgather(own, whole).Wait()
    copy = np.copy(own)
    here.comm.Ibcast(copy).Wait()
    return {"got": got, "whole": whole, "copy": copy}


def called_wrongly(here):
    """Leave an argument out."""
    here.comm.Iscatter(np.zeros(2))
