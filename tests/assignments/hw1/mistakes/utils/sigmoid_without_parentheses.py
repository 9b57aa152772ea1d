"""1 / 1 + e^-x: the division comes first, and the network learns nothing.

failed: utils.sigmoid utils.sigmoid_prime train.accuracy
"""

def sigmoid(x):
    return 1 / 1 + np.exp(-x)
