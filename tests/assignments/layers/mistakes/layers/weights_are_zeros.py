"""All weights begin with zero: nothing can be learnt.

failed: network.repeatable
"""


class Linear:
    def __init__(self, inputs, outputs, seed=0):
        bound = 1 / np.sqrt(inputs)
        self.W = Matrix(outputs, inputs)
        self.W.set(np.zeros((outputs, inputs)))
        self.b = Matrix(outputs, 1)
        self.dW = Matrix(outputs, inputs)
        self.db = Matrix(outputs, 1)
        self.A = None
