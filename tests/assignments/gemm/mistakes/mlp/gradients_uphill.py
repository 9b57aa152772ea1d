"""Y - P instead of P - Y.

failed: mlp.gradients
"""


@cuda.jit
def subtract(P, Y, dZ):
    entry = cuda.grid(1)
    if entry < P.size:
        i, j = entry // P.shape[1], entry % P.shape[1]
        dZ[i, j] = Y[i, j] - P[i, j]
