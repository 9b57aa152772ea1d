"""Another function of a like shape.

failed: sigmoid.cpu
"""


class Sigmoid:
    def forward(self, Z, cpu_only=False):
        self.A = A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.tanh(Z.copy_to_host()))
        else:
            sigmoid[blocks(Z.shape), THREADS](Z.copy_to_device(), A.allocate())
        return A
