"""e to the power of x instead of -x: the curve falls, its derivative rises, and the network learns the opposite.

failed: utils.sigmoid
"""


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(x))
