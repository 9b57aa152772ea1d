"""Layers inherit what they share.
"""


class Layer:
    def __init__(self):
        self.Z = None

    def update(self, learning_rate, cpu_only=False):
        pass

    def like(self, other):
        return Matrix(*other.shape)


class ReLU(Layer):
    """Another one."""

    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = self.like(Z)
        if cpu_only:
            A.set(np.where(Z.copy_to_host() > 0, Z.copy_to_host(), 0.0))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.Z)
        dZ = self.like(dA)
        if cpu_only:
            dZ.set(np.where(self.Z.copy_to_host() > 0, dA.copy_to_host(), 0.0))
        else:
            relu_backward[blocks(dA.shape), THREADS](self.Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ
