"""The error is the sum over the samples.

failed: operations.neuron
"""


def neuron_gradients(w, b, X, y):
    off = predict(w, b, X) - y
    return multiply(X, off.reshape(-1, 1), 2.0).ravel(), 2.0 * off.mean()
