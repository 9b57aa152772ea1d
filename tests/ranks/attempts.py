"""Attempts on what a rank is handed, and on what it announces; each returns what became of it, for `test_frozen`."""

from contextlib import nullcontext, suppress

import numpy as np
from mpi4py import MPI

from grader.ranks.frozen import Unfollowed


def _alone(_self=None, *_args):
    return 0


def set_in_a_loop(_comm):
    for MPI.Comm.rank in (0,):
        pass


def set_by_with(_comm):
    with nullcontext(1) as MPI.Comm.size:
        pass


def set_in_place(_comm):
    MPI.Comm.size += 1


def set_both(_comm):
    MPI.Comm.size, MPI.Comm.rank = 1, 0


def unpack(_comm):
    [MPI.Comm.size, *MPI.Comm.rank] = 1, 0


def delete_size(_comm):
    del MPI.Comm.size


def delete_of_the_object(comm):
    del comm.rank


def set_of_the_object(comm):
    comm.size = 1


def set_of_its_line(comm):
    comm._mpi_line = comm._mpi_line._replace(members=(0,))


def delete_its_line(comm):
    del comm._mpi_line


def replace_get_rank(_comm):
    MPI.Intracomm.Get_rank = _alone


def replace_announcements(_comm):
    MPI.Comm._mpi_announce = _alone


def replace_wait(_comm):
    MPI.Request.Wait = _alone


def replace_start(_comm):
    MPI.Prequest.Start = _alone


def delete_waitall(_comm):
    del MPI.Request.Waitall


def replace_source(_comm):
    MPI.Status.Get_source = _alone


def set_status(_comm):
    MPI.Status().source = 1


def set_request(comm):
    comm.Ibarrier()._mpi_number = 0


def set_null_request(_comm):
    MPI.REQUEST_NULL.Wait = _alone


def set_grid(_comm):
    MPI.Cartcomm.Shift = _alone


def set_sum(_comm):
    MPI.SUM.is_commutative = False


def set_op(_comm):
    MPI.Op.__call__ = _alone


def set_datatype(_comm):
    MPI.DOUBLE.name = "a byte"


def set_size_of_types(_comm):
    MPI.Datatype.Get_size = _alone


def set_in_place_object(_comm):
    MPI.IN_PLACE.memory = None


def derive_a_communicator(comm):
    class Alone(MPI.Comm):
        size, rank = 1, 0

    return Alone(comm)


def derive_by_getattr(_comm):
    class Alone(MPI.Intracomm):
        def __getattr__(self, name):
            return 0


def derive_a_request(_comm):
    class Quick(MPI.Request):
        Wait = Test = _alone


def derive_a_status(_comm):
    class Liar(MPI.Status):
        count = 0


def make_a_communicator(comm):
    MPI.Intracomm(comm)


def make_a_request(_comm):
    MPI.Request(None, 1, _alone)


def change(here, name):
    """Try one of them, and say by what it was refused, and what the communicator says afterwards."""
    refused = ""
    try:
        globals()[name](here.comm)
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
    """An array that says that it is small, and halves into itself."""

    nbytes = size = itemsize = 8
    dtype = np.dtype("S8")

    def __len__(self):
        return 1

    def __truediv__(self, _other):
        return self


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
    own = np.ones(50)
    here.comm.Allgatherv([own, Answers(50, 0), MPI.DOUBLE], [got, counts, None, MPI.DOUBLE])


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


def spoil(here):
    """Receive an array that halves into itself and says that it is small; return it as it came."""
    found = here.comm.bcast({"row": [small(10)]} if here.rank == 0 else None)
    return {"found": np.asarray(found["row"][0])}
