"""Static methods of a class are unpacked into the names of the sheet, several in one assignment.

removes: sigmoid sigmoid_prime zeros_weights zeros_biases
slow: its neighbours of the same kind are in the fast set
"""


class Activation:
    @staticmethod
    def value(x):
        return 1 / (1 + np.exp(-np.asarray(x)))

    @staticmethod
    def slope(x):
        value = Activation.value(x)
        return value * (1 - value)


class Zeros:
    __slots__ = ()

    @classmethod
    def weights(cls, sizes):
        return [np.zeros(shape) for shape in pairwise(sizes)]

    @classmethod
    def biases(cls, sizes):
        return [np.zeros(size) for size in sizes[1:]]


sigmoid, sigmoid_prime = Activation.value, Activation.slope
(zeros_weights, zeros_biases) = [Zeros.weights, Zeros.biases]
