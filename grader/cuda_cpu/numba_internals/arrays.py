"""The inside of array structures, which ``import numba`` does not load; seen in Numba 0.67.0 and 0.68.1.

Whoever makes an array of a piece of memory inside a kernel fills in the structure that Numba's lowering reads.
"""

from numba.np.arrayobj import make_array_flat_cls, populate_array
