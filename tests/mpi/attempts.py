"""Attempts on what a rank is handed, and on what it announces; each returns what became of it, for `test_frozen`."""

from contextlib import nullcontext, suppress

import numpy as np
from mpi4py import MPI

from grader.mpi.objects import Unfollowed


def alone(_self=None, *_args):
    return 0


CHANGES = {
    "set in a loop": "for MPI.Comm.rank in (0,): pass",
    "set by with": "with nullcontext(1) as MPI.Comm.size: pass",
    "set in place": "MPI.Comm.size += 1",
    "set both": "MPI.Comm.size, MPI.Comm.rank = 1, 0",
    "unpack": "[MPI.Comm.size, *MPI.Comm.rank] = 1, 0",
    "delete size": "del MPI.Comm.size",
    "delete of the object": "del comm.rank",
    "set of the object": "comm.size = 1",
    "set of its line": "comm._mpi_line = comm._mpi_line._replace(members=(0,))",
    "delete its line": "del comm._mpi_line",
    "replace Get_rank": "MPI.Intracomm.Get_rank = alone",
    "replace announcements": "MPI.Comm._mpi_announce = alone",
    "replace Wait": "MPI.Request.Wait = alone",
    "replace Start": "MPI.Prequest.Start = alone",
    "delete Waitall": "del MPI.Request.Waitall",
    "replace the source": "MPI.Status.Get_source = alone",
    "set a status": "MPI.Status().source = 1",
    "set a request": "comm.Ibarrier()._mpi_number = 0",
    "set the null request": "MPI.REQUEST_NULL.Wait = alone",
    "set a grid": "MPI.Cartcomm.Shift = alone",
    "set a sum": "MPI.SUM.is_commutative = False",
    "set an operation": "MPI.Op.__call__ = alone",
    "set a datatype": "MPI.DOUBLE.name = 'a byte'",
    "set the size of types": "MPI.Datatype.Get_size = alone",
    "set the object in place": "MPI.IN_PLACE.memory = None",
    "derive a communicator": "class Alone(MPI.Comm):\n    size, rank = 1, 0\nAlone(comm)",
    "derive by getattr": "class Alone(MPI.Intracomm):\n    def __getattr__(self, name):\n        return 0",
    "derive a request": "class Quick(MPI.Request):\n    Wait = Test = alone",
    "derive a status": "class Liar(MPI.Status):\n    count = 0",
    "keep texts in hints": "comm.info.update({'a': 'b'})",
    "make a communicator": "MPI.Intracomm(comm)",
    "name memory by its address": "comm.Send([MPI.BOTTOM, 8, MPI.BYTE], MPI.PROC_NULL)",
    "see behind the items": (
        "comm.Allreduce(MPI.IN_PLACE, [np.ones(9), 1, MPI.DOUBLE.Create_resized(0, 64)], op=MPI.Op.Create(alone))"
    ),
    "make a request": "MPI.Request(None, 1, alone)",
}
"""Statements, where `comm` is what a rank is handed and `alone` a function that returns 0."""


def change(here, name):
    """Try one of them, and say by what it was refused, and what the communicator says afterwards."""
    refused = ""
    try:
        exec(CHANGES[name], {"MPI": MPI, "alone": alone, "comm": here.comm, "nullcontext": nullcontext, "np": np})
    except (AttributeError, TypeError, Unfollowed) as error:
        refused = type(error).__name__
    total = here.comm.allreduce(here.comm.Get_rank() + 1)
    status, got = MPI.Status(), np.zeros(1)
    requests = [here.comm.Isend(np.ones(1), 1 - here.rank), here.comm.Irecv(got, 1 - here.rank)]
    MPI.Request.Waitall(requests, [MPI.Status(), status])
    return {
        "refused": refused,
        "told": [here.comm.rank, here.comm.size, here.comm.Get_size(), total, status.source, MPI.DOUBLE.Get_size()],
        "here": [here.rank, here.size],
        "got": got[0],
    }


class Answers:
    """Something that says another number each time it is asked."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __index__(self):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    __int__ = __index__


class Row(list):
    """A list that says by its methods that it holds something else."""

    def __iter__(self):
        return iter([0] * list.__len__(self))

    def __getitem__(self, place):
        return 0

    def __len__(self):
        return 0


class Spec(list):
    """A list of which a method shows a small array."""

    def __iter__(self):
        return iter([np.zeros(1), MPI.DOUBLE])


class Small(np.ndarray):
    """An array that says that it is small."""

    nbytes = size = itemsize = 8
    dtype = np.dtype("S8")

    def __len__(self):
        return 1


def small(length):
    """Return an array of so many numbers that says that it is small."""
    return np.arange(1.0, length + 1).view(Small)


def records(here, name):
    """Send 100 numbers in a way that says otherwise; return how many came."""
    got, other = np.zeros(100), 1 - here.rank
    with suppress(TypeError):
        LIES[name](here, got, other)
    return {"came": int(np.count_nonzero(got))}


def _send(here, got, other, spec, dest=None):
    if here.rank:
        here.comm.Recv(got, other)
    else:
        here.comm.Send(spec, other if dest is None else dest)


def _gather(here, got, counts):
    here.comm.Allgatherv([np.ones(50), Answers(50, 0), MPI.DOUBLE], [got, counts, None, MPI.DOUBLE])


def _share(here, got, root):
    array = np.ones(100) if here.rank == 0 else got
    here.comm.Bcast(array, root)
    got[:] = array


LIES = {
    "array": lambda here, got, other: _send(here, got, other, small(100)),
    "array_in_a_list": lambda here, got, other: _send(here, got, other, [small(100), MPI.DOUBLE]),
    "list": lambda here, got, other: _send(here, got, other, Spec([np.ones(100), MPI.DOUBLE])),
    "count": lambda here, got, other: _send(here, got, other, [np.ones(100), Answers(100, 1), MPI.DOUBLE]),
    "receiver": lambda here, got, other: _send(here, got, other, np.ones(100), Answers(1, 0)),
    "counts": lambda here, got, _other: _gather(here, got, Row([50, 50])),
    "later": lambda here, got, _other: here.comm.Iallreduce(small(100), got).Wait(),
    "root": lambda here, got, _other: _share(here, got, Answers(0, 1)),
}


def exchange(here):
    """Receive an array that says that it is small; return it as it came."""
    here.exchange(np.arange(1.0, 11.0), np.arange(11.0, 21.0)) if here.rank else None
    return {"found": np.asarray(here.comm.bcast({"row": [small(10)]} if here.rank == 0 else None)["row"][0])}
