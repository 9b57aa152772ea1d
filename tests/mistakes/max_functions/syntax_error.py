"""An unfinished line at the end of the file.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""

max_cpu(
