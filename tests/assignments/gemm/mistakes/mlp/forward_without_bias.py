"""The hidden layer has no bias.

failed: mlp.forward
"""


@cuda.jit
def add_bias_and_squash(Z, b):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        Z[i, j] = 1.0 / (1.0 + math.exp(-(Z[i, j])))
