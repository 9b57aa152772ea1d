"""Conformance: the CUDA tests that ship inside the numba-cuda package, run on our executor.

Theory of operation
-------------------
The tests import their helpers from ``numba.cuda.testing`` and parts of numba-cuda's compiler from ``numba.cuda.core``.
`sources` finds the first in the installed package, unchanged, and answers for the second with the parts of Numba that
they were copied from. `worker` runs test modules in a process of its own and writes a line before and after each test;
`runner` starts the workers, and when one dies or hangs, that costs the one test that was running. `scope` names the
tests that ask for something that only a GPU or its compiler has, with a reason each; they run too, and count as passed
where they pass.
"""
