"""1 / 1 + e^-x: the division comes first, and the network learns nothing.

failed: utils.sigmoid
"""

def sigmoid(x):
    return 1 / 1 + np.exp(-x)
