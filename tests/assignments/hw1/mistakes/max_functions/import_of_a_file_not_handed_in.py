"""A file of one's own was left at home.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
slow: its neighbours of the same kind are in the fast set
"""

from my_comparisons import larger
