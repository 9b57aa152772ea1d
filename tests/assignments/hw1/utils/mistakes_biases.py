"""Mistakes in biases.

failed: utils.zeros_biases
"""

# %% zeros_biases_are_columns
"""Columns of shape (n, 1), not one-dimensional vectors; broadcasting repairs the training."""
def zeros_biases(sizes):
    return [np.zeros((n, 1)) for n in sizes[1:]]

# %% zeros_biases_are_rows
"""Rows of shape (1, n), not one-dimensional vectors; broadcasting repairs the training."""
def zeros_biases(sizes):
    return [np.zeros((1, n)) for n in sizes[1:]]

# %% zeros_biases_in_one_vector
"""One long vector instead of a list of vectors."""
def zeros_biases(sizes):
    return np.zeros(sum(sizes[1:]))

# %% zeros_biases_of_the_layer_before
"""L vectors, each as long as the layer before: the output layer's is missing, the input layer's is there."""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[:-1]]

# %% zeros_biases_one_short
"""L - 1 vectors: the output layer has none."""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[1:-1]]
