"""Layers have fields type, parent and base, methods call and compile, and parameters in a named tuple.
"""

import sys
from collections import namedtuple

Pair = namedtuple("Pair", ("value", "slope"))


class Linear:
    type = "linear"
    parent = None

    def parameters(self):
        self.base = Pair(self.W, self.dW), Pair(value=self.b, slope=self.db)
        return self.base

    def update(self, learning_rate, cpu_only=False):
        if "--verbose" in sys.argv:
            print(self.type, self.parent)
        for parameter in self.parameters():
            self.call(parameter, learning_rate, cpu_only)

    def call(self, parameter, learning_rate, cpu_only):
        old, slope = parameter.value, parameter._replace(value=None).slope
        if cpu_only:
            old.set(old.copy_to_host() - learning_rate * slope.copy_to_host())
        else:
            device = old.copy_to_device()
            step[blocks(old.shape), THREADS](device, slope.copy_to_device(), learning_rate, old.allocate())


class ReLU:
    type = "relu"

    def forward(self, Z, cpu_only=False):
        self.Z, self.handle = Z, self.type
        return self.compile(Z, cpu_only)

    def compile(self, Z, cpu_only):
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A
