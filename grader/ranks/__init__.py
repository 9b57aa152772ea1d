"""Programs of several MPI ranks: started, traced, and explained where they come to a halt.

    conductor     starts the ranks of a team below this process, hands them a function, and serves what they call
    pmi           answers the MPI library's questions at its start, in place of `mpiexec`
    rank          the program of one rank
    communicator  what the functions are handed: mpi4py's communicator, of which every call is announced first
    collectives   its collective calls, waiting and not, by one plan for both
    frozen        none of these objects and classes can be changed, and no further class derives from them
    requests      its requests and statuses
    buffers       what a call of mpi4py sends or receives: bytes, type, and parts
    calls         what a rank tells the conductor, and what it is told
    board         which calls belong together; which ranks can never go on, and which calls do not fit
    sentences     the same in words

Messages travel by the real MPI library. A rank that would have to wait asks the conductor first, which lets it go when
its partners have arrived. So no rank waits inside the library, a halt is known as soon as it is one, and calls that do
not fit each other are found before the library meets them. Collective calls that do not wait, such as Iallreduce, are
begun in the library at once, before the others have come: what does not fit there is found, but the library may have
met it.
"""
