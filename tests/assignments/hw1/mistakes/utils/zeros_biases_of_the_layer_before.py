"""L vectors, each as long as the layer before: the output layer's is missing, the input layer's is there.

failed: utils.zeros_biases
slow: its neighbours of the same kind are in the fast set
"""


def zeros_biases(sizes):
    return [np.zeros(n) for n in sizes[:-1]]
