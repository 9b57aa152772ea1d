"""A kernel calls functions of the device.
"""


@cuda.jit(device=True)
def logistic(z):
    return 1.0 / (1.0 + math.exp(-z))


@cuda.jit
def sigmoid(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = logistic(Z[i, j])
