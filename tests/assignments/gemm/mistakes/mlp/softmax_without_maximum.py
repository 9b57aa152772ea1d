"""Softmax takes powers as they come.

failed: mlp.extremes
"""


@cuda.jit
def add_bias_and_normalise(Z, b):
    j = cuda.grid(1)
    if j < Z.shape[1]:
        highest = -math.inf
        for i in range(Z.shape[0]):
            Z[i, j] += b[i, 0]
            highest = max(highest, Z[i, j])
        total = 0.0
        for i in range(Z.shape[0]):
            Z[i, j] = math.exp(Z[i, j])
            total += Z[i, j]
        for i in range(Z.shape[0]):
            Z[i, j] /= total
