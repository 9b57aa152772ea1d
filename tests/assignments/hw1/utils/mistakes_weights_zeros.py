"""Mistakes in matrices of zeros.

failed: utils.zeros_weights
"""

# %% huge_memory
"""More memory is asked for than a machine has."""
def zeros_weights(sizes):
    return [np.zeros((m * 10**6, n * 10**6)) for m, n in pairwise(sizes)]

# %% zeros_weights_are_ones
"""Ones, which every sum of gradients then starts from; the network bears it."""
def zeros_weights(sizes):
    return [np.ones((m, n)) for m, n in pairwise(sizes)]

# %% zeros_weights_beyond_the_last
"""The loop runs over all layers, and the last has no layer after it."""
def zeros_weights(sizes):
    return [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes))]

# %% zeros_weights_of_one_shape
"""Every matrix has the shape of the first; adding gradients of other shapes to them fails."""
def zeros_weights(sizes):
    return [np.zeros((sizes[0], sizes[1])) for _ in sizes[1:]]

# %% zeros_weights_transposed
"""Rows belong to the next layer."""
def zeros_weights(sizes):
    return [np.zeros((n, m)) for m, n in pairwise(sizes)]
