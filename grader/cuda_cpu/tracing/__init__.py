"""Traced launches: check mode (`checking`), cost figures (`counting`) and the steps of one thread (`following`).

Theory of operation
-------------------
Inside ``checking()`` or ``counting()`` every launch uses a second compilation of the kernel (`session`), in which
`emit` has put calls of `runtime` around every access to an array, every barrier, fence and branch. A `trace` stands
for the launch: it knows which memory to watch. The routines, compiled by `routines`, keep for every element who
touched it last (`runtime`) and put the warps' requests together from threads that run one by one (`requests`).
Afterwards `races` and `costs` turn the words of the trace into plain records.

Nothing is sampled: every access of every thread is seen, unless check mode is asked for the first ones only. What is
left out, and then said in the records: launches of more than 2^27 blocks and barriers together, arrays of more than
`trace.MAX_CELLS` elements, local and constant arrays (no other thread can touch them), and NumPy functions inside
kernels that Numba compiles from its own Python source.
"""
