"""Traced launches: check mode (`checking`), cost figures (`counting`) and the steps of one thread (`following`).

Theory of operation
-------------------
Inside ``checking()`` or ``counting()``, every launch uses a second compilation of the kernel (`session`), in which
`emit` has put calls of `runtime` at every access to an array, every barrier, fence and branch. A `trace` stands for
the launch: it knows which memory to watch. The routines, compiled by `routines`, store for each element which threads
touched it last (`runtime`), and build the warps' requests from threads that run one by one (`requests`). Afterwards
`races` and `costs` turn the words of the trace into plain records.

Nothing is sampled: every access of every thread is followed, unless check mode gets a limit (`most`). Left out, with a
note in the record: launches of more than 2^27 blocks and barriers together, and arrays of more than `trace.MAX_CELLS`
elements. Left out without a note: local and constant arrays (no other thread can touch them), and NumPy functions
inside kernels that Numba compiles from its own Python source.
"""
