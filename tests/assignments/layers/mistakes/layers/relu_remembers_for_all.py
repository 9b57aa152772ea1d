"""What one object saw is what all saw last.

failed: relu.cpu
"""


class ReLU:
    last = []

    def __init__(self):
        self.Z = None

    def forward(self, Z, cpu_only=False):
        self.last.clear()
        self.last.append(Z)
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        Z = self.last[-1] if self.last else None
        expect_shape(dA, Z)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * (Z.copy_to_host() > 0))
        else:
            relu_backward[blocks(dA.shape), THREADS](Z.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ
