"""The 2 of the square is missing.

failed: operations.neuron
"""


def neuron_gradients(w, b, X, y):
    off = predict(w, b, X) - y
    return multiply(X, off.reshape(-1, 1), 1.0 / len(off)).ravel(), 2.0 * off.mean()
