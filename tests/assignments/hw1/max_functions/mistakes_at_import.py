"""A file that cannot be imported.

failed: max.cpu.correct max.numba.correct max.gpu.correct max.gpu.launch
skipped: max.cpu.trivial max.numba.compiled max.gpu.speedup
warned: max.times max.shapes
says: max_functions.py
"""

# %% exit_at_import
"""The comparison runs at import and ends the program; its guard was removed."""
sys.exit(0)

# %% import_of_a_file_not_handed_in
"""A file of one's own was left at home."""
from my_comparisons import larger

# %% syntax_error
"""An unfinished line at the end of the file."""
max_cpu(
