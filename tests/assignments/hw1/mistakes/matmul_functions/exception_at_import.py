"""The matrix is read from a file when the module is imported.

failed: matmul.trivial.correct matmul.numba.correct matmul.gpu.correct matmul.gpu.launch
skipped: matmul.numba.compiled
warned: matmul.times matmul.shapes
says: matmul_functions.py
"""

X = np.load("X.npy")
