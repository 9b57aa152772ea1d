"""The neuron has no bias.

failed: operations.neuron
"""


def predict(w, b, X):
    return multiply(w.reshape(1, -1), X).ravel()
