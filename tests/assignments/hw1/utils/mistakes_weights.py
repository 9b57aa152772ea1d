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
