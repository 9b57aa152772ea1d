"""Weights of Linear that do not begin as the sheet says.

failed: network.repeatable
"""

# %% seed_is_always_the_same
"""The seed is written into the class."""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(0).uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% seed_is_ignored
"""Weights are drawn without the seed."""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.uniform(-bound, bound, (outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% weights_are_too_large
"""Weights are normal numbers."""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        self.W = Matrix(outputs, inputs)
        self.W.set(np.random.default_rng(seed).normal(size=(outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None

# %% weights_are_zeros
"""All weights begin with zero: nothing can be learnt."""
class Linear:
    def __init__(self, inputs, outputs, seed=0):
        self.W = Matrix(outputs, inputs)
        self.W.set(np.zeros((outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None
