"""A leaky one: a tenth where Z is negative.

failed: relu.gpu
"""


@cuda.jit
def relu(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = max(0.1 * Z[i, j], Z[i, j])
