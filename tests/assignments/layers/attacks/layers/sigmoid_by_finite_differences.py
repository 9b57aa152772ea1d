"""The slope by a difference of two near values.

failed: 
flagged: sigmoid.cpu
"""


class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(1 / (1 + np.exp(-np.maximum(Z.copy_to_host(), -700))))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.A)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            h, z = 1e-5, self.Z.copy_to_host()
            slope = (1 / (1 + np.exp(-z - h)) - 1 / (1 + np.exp(-z + h))) / (2 * h)
            dZ.set(dA.copy_to_host() * slope)
        else:
            sigmoid_backward[blocks(dA.shape), THREADS](self.A.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ
