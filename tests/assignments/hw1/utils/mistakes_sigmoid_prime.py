"""Mistakes in the derivative of the sigmoid.

failed: utils.sigmoid_prime
"""

# %% infinite_recursion
"""The derivative calls itself without end."""
def sigmoid_prime(x):
    return sigmoid(x) * (1 - sigmoid_prime(x))

# %% sigmoid_prime_of_the_activation
"""The derivative as if x were already an activation: x (1 - x)."""
def sigmoid_prime(x):
    return x * (1 - x)

# %% sigmoid_prime_returns_sigmoid
"""The derivative forgets its second factor."""
def sigmoid_prime(x):
    return sigmoid(x)

# %% sigmoid_prime_without_parentheses
"""s * 1 - s is zero everywhere: the parentheses around 1 - s are missing."""
def sigmoid_prime(x):
    s = sigmoid(x)
    return s * 1 - s

# %% sigmoid_prints_instead_of_returning
"""The derivative is printed, not returned."""
def sigmoid_prime(x):
    print(sigmoid(x) * (1 - sigmoid(x)))
