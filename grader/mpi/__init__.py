"""Programs of several MPI ranks: started, traced, and explained where they come to a halt. See `README.md`.

coordinator   `run(Program(…), ranks, function, arguments)`: reads what the ranks call, and says what came of it
pool          the ranks' processes; answers the MPI library's questions at its start, in place of `mpiexec`
matching      which calls belong together; which ranks can never go on, and which calls do not fit
sentences     the same in words
calls         what a rank writes for the coordinator, and what it is told; the table of collective operations
rank          the program of one rank
link          its log and its line to the coordinator; how it waits
communicator  mpi4py's communicators, of which every call is announced first
messages, collectives   their methods, made by rows
requests      requests, statuses, and messages that a probe took
objects       what a call sends or receives, read once; our objects and classes, none of which can be changed
"""
