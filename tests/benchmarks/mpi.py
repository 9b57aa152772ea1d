"""What it costs that ranks are traced, on two ranks: `make bench-mpi`.

They send each other 8 bytes and add up 8 bytes, by the traced communicator and by the MPI library's own, in turns.
Prints the time of a call in the best of ten rounds, and the ratio: traced ones are read and written down, in Python.
"""

import time

import numpy as np
from mpi4py import MPI
from tables import parse_options, write_figures

from grader.mpi.communicator import library_of

WORLD, OTHER, ARRAY = MPI.COMM_WORLD, 1 - MPI.COMM_WORLD.rank, np.zeros(1)


def send_and_receive(comm):
    for act in (comm.Send, comm.Recv) if OTHER else (comm.Recv, comm.Send):
        act(ARRAY, OTHER)


def mean_us(act, comm, times):
    WORLD.Barrier()
    began_s = time.perf_counter()
    for _ in range(times):
        act(comm)
    return 1e6 * (time.perf_counter() - began_s) / times


asked, figures = parse_options(__doc__, times=200), {}
acts = {"message": (send_and_receive, 2), "Allreduce": (lambda comm: comm.Allreduce(ARRAY, np.empty(1)), 1)}
for name, (act, calls) in acts.items():
    rounds = [[mean_us(act, comm, asked.times) / calls for comm in (WORLD, library_of(WORLD))] for _ in range(10)]
    traced_us, plain_us = map(min, zip(*rounds, strict=True))
    figures |= {f"{name}_traced_us": traced_us, f"{name}_plain_us": plain_us}
    if OTHER:  # rank 0 alone
        print(f"{name:10} traced {traced_us:6.0f} us, plain {plain_us:6.1f} us, ratio {traced_us / plain_us:6.1f}")
        write_figures("bench-mpi", figures)
