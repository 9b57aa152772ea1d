"""Mistakes in the neuron.

failed: operations.neuron
"""

# %% neuron_forgets_the_two
"""The 2 of the square is missing."""
def neuron_gradients(w, b, X, y):
    off = predict(w, b, X) - y
    return multiply(X, off.reshape(-1, 1), 1.0 / len(off)).ravel(), 2.0 * off.mean()

# %% neuron_sums
"""The error is the sum over the samples."""
def neuron_gradients(w, b, X, y):
    off = predict(w, b, X) - y
    return multiply(X, off.reshape(-1, 1), 2.0).ravel(), 2.0 * off.mean()

# %% neuron_without_bias
"""The neuron has no bias."""
def predict(w, b, X):
    return multiply(w.reshape(1, -1), X).ravel()
