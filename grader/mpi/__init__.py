"""Run programs on several MPI ranks, trace them, and explain deadlocks. See `README.md`.

coordinator   `run(Settings(…), ranks, function, arguments)`: reads the calls of the ranks, and reports the result
pool          the ranks' processes; answers the MPI library's questions at its start, in place of `mpiexec`
matching      which calls belong together; which ranks can never go on, and which calls do not match
sentences     the same, in words
calls         the records and messages between a rank and the coordinator; the table of collective operations
rank          the program of one rank
link          its log and its channel to the coordinator; how it waits
communicator  classes derived from mpi4py's communicators, which announce every call
messages, collectives   the methods of communicators, made from a table
requests      requests, statuses, and messages that a probe took
objects       reads the buffers of a call once; base classes of ours, which code of a submission cannot change
"""
