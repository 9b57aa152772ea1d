"""An answer claims a terabyte without having it.

aims: utils.sigmoid
"""


def sigmoid(x):
    return np.broadcast_to(np.float64(0.5), (1 << 37,))
