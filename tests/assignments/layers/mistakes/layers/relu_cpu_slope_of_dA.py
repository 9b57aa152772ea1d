"""The slope is taken where dA is positive.

failed: relu.cpu
"""


class ReLU:
    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (dA.copy_to_host() > 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ
