"""The curves hold J instead of the cross-entropy.

failed: train.curves
"""


def cross_entropy(parameters, X, Y):
    _, P = forward(*parameters, X)
    return loss(parameters, P, Y, 1e-4)
