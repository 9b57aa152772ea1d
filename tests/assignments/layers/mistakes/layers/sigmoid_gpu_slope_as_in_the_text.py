"""The text lost a minus: sigma times 1 sigma.

failed: sigmoid.gpu
"""


@cuda.jit
def sigmoid_backward(A, dA, dZ):
    entry = cuda.grid(1)
    if entry < A.size:
        i, j = entry // A.shape[1], entry % A.shape[1]
        dZ[i, j] = dA[i, j] * A[i, j] * (1 * A[i, j])
