"""The slope of the sigmoid is taken for that of tanh.

failed: mlp.gradients
"""


@cuda.jit
def times_slope(dA, A):
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dA[i, j] *= (1.0 - A[i, j] * A[i, j])
