"""Mistakes in weights and biases of `utils.py`.

failed: utils.random_weights
"""

# %% random_weights_bound_of_the_columns
"""The bound follows from the layer after, by transposing what xavier_initialization gives."""
def random_weights(sizes):
    return [xavier_initialization(sizes[i + 1], sizes[i]).T for i in range(len(sizes) - 1)]

# %% random_weights_glorot
"""Glorot's bound, which knows rows and columns; the sheet's knows rows only."""
def xavier_initialization(m, n):
    bound = np.sqrt(6.0 / (m + n))
    return np.random.uniform(-bound, bound, size=(m, n))

# %% random_weights_normal
"""Drawn from the normal distribution."""
def random_weights(sizes):
    return [np.random.randn(m, n) / np.sqrt(m) for m, n in pairwise(sizes)]

# %% random_weights_one_layer_short
"""The last matrix is missing."""
def random_weights(sizes):
    return [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2)]

# %% random_weights_positive_only
"""Uniform, but from 0 to the bound."""
def random_weights(sizes):
    return [np.random.uniform(0, 1 / np.sqrt(m), size=(m, n)) for m, n in pairwise(sizes)]

# %% random_weights_same_seed_each_call
"""The seed is set inside the function: every call draws the same numbers."""
def random_weights(sizes):
    np.random.seed(42)
    return [xavier_initialization(m, n) for m, n in pairwise(sizes)]

# %% random_weights_transposed
"""Rows belong to the next layer."""
def random_weights(sizes):
    return [xavier_initialization(m, n).T for m, n in pairwise(sizes)]

# %% zeros_biases_are_columns
"""Columns of shape (n, 1), not one-dimensional vectors; broadcasting repairs the training.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros((n, 1)) for n in sizes[1:]]

# %% zeros_biases_are_rows
"""Rows of shape (1, n), not one-dimensional vectors; broadcasting repairs the training.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros((1, n)) for n in sizes[1:]]

# %% zeros_biases_in_one_vector
"""One long vector instead of a list of vectors.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return np.zeros(sum(sizes[1:]))

# %% zeros_biases_of_the_layer_before
"""L vectors, each as long as the layer before: the output layer's is missing, the input layer's is there.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[:-1]]

# %% zeros_biases_one_short
"""L - 1 vectors: the output layer has none.

failed: utils.zeros_biases
"""
def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[1:-1]]

# %% zeros_weights_are_ones
"""Ones, which every sum of gradients then starts from; the network bears it.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.ones((m, n)) for m, n in pairwise(sizes)]

# %% zeros_weights_beyond_the_last
"""The loop runs over all layers, and the last has no layer after it.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes))]

# %% zeros_weights_of_one_shape
"""Every matrix has the shape of the first; adding gradients of other shapes to them fails.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((sizes[0], sizes[1])) for _ in sizes[1:]]

# %% zeros_weights_transposed
"""Rows belong to the next layer.

failed: utils.zeros_weights
"""
def zeros_weights(sizes):
    return [np.zeros((n, m)) for m, n in pairwise(sizes)]
