"""Hand-ins of `collectives.py` that reach the MPI library behind the trace.

aims: ring.bytes
"""

# %% ring_above_the_communicator
"""`super` shows the library's own calls, and junk goes round the ring."""
from mpi4py import MPI

above = super

def ring_allreduce(comm, values):
    size = comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    room = np.empty_like(junk)
    comm.Sendrecv(junk, dest=(comm.rank + 1) % size, recvbuf=room, source=(comm.rank - 1) % size)
    total = np.array(values, dtype=float)
    above(MPI.Comm, comm).Allreduce(MPI.IN_PLACE, total)
    return total

# %% ring_of_a_type_without_bytes
"""A type of numbers says that it is 0 bytes long."""
from mpi4py import MPI

class Tiny(MPI.Datatype):
    extent = 8

    def Get_size(self):
        return 0

def ring_allreduce(comm, values):
    size = comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    room = np.empty_like(junk)
    comm.Sendrecv(junk, dest=(comm.rank + 1) % size, recvbuf=room, source=(comm.rank - 1) % size)
    total = np.empty(len(values))
    double = Tiny(MPI.DOUBLE)
    comm.Allreduce([np.array(values, dtype=float), double], [total, double])
    return total

# %% ring_of_a_list_that_looks_empty
"""A list holds nothing for who reads it, and the numbers for the library."""
from mpi4py import MPI

class Spec(list):
    def __init__(self, array):
        list.__init__(self, [None])
        self.array = array

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([self.array, MPI.DOUBLE])

def ring_allreduce(comm, values):
    size = comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    room = np.empty_like(junk)
    comm.Sendrecv(junk, dest=(comm.rank + 1) % size, recvbuf=room, source=(comm.rank - 1) % size)
    total = np.empty(len(values))
    comm.Allreduce(Spec(np.array(values, dtype=float)), Spec(total))
    return total

# %% ring_by_the_number_of_a_communicator
"""The number of a communicator leads to the library's own, and junk goes round the ring."""
from mpi4py import MPI

def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    comm.fromint(comm.toint()).Allreduce(MPI.IN_PLACE, total)
    size, right, left = comm.size, (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    comm.Sendrecv(junk, dest=right, recvbuf=np.empty_like(junk), source=left)
    return total

# %% ring_by_a_key_that_is_deleted
"""A function that is called when a key is deleted is given the library's communicator."""
from mpi4py import MPI

def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    key = comm.Create_keyval(delete_fn=lambda given, _key, _value: given.Allreduce(MPI.IN_PLACE, total))
    comm.Set_attr(key, 1)
    comm.Delete_attr(key)
    size, right, left = comm.size, (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    comm.Sendrecv(junk, dest=right, recvbuf=np.empty_like(junk), source=left)
    return total

# %% ring_with_a_type_beyond_the_array
"""A type of numbers reaches half a megabyte behind the array."""
from mpi4py import MPI

def ring_allreduce(comm, values):
    total = np.array(values, dtype=float)
    far = MPI.DOUBLE.Create_hindexed([1], [65536 * 8]).Create_resized(0, 8)
    far.Commit()
    room = np.zeros(1)
    comm.Sendrecv([total, 1, far], dest=comm.rank, recvbuf=room, source=comm.rank)
    comm.Allreduce(MPI.IN_PLACE, total)
    size, right, left = comm.size, (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    junk = np.zeros(2 * (size - 1) * len(values) // size)
    comm.Sendrecv(junk, dest=right, recvbuf=np.empty_like(junk), source=left)
    return total
