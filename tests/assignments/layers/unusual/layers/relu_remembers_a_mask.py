"""What `backward` needs is kept as a matrix of zeros and ones.
"""


class ReLU:
    def __init__(self):
        self.mask = None

    def forward(self, Z, cpu_only=False):
        A = Matrix(*Z.shape)
        self.mask = Matrix(*Z.shape)
        if cpu_only:
            positive = Z.copy_to_host() > 0
            self.mask.set(positive.astype(float))
            A.set(Z.copy_to_host() * positive)
        else:
            relu_and_mask[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate(), self.mask.allocate())
        return A

    def backward(self, dA, cpu_only=False):
        expect_shape(dA, self.mask)
        dZ = Matrix(*dA.shape)
        if cpu_only:
            dZ.set(dA.copy_to_host() * self.mask.copy_to_host())
        else:
            times[blocks(dA.shape), THREADS](self.mask.copy_to_device(), dA.copy_to_device(), dZ.allocate())
        return dZ


@cuda.jit
def relu_and_mask(Z, A, mask):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        mask[i, j] = 1.0 if Z[i, j] > 0 else 0.0
        A[i, j] = Z[i, j] * mask[i, j]


@cuda.jit
def times(mask, dA, dZ):
    entry = cuda.grid(1)
    if entry < mask.size:
        i, j = entry // mask.shape[1], entry % mask.shape[1]
        dZ[i, j] = dA[i, j] * mask[i, j]
