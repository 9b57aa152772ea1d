"""Nobody compares the shape of A.

failed: layers.shapes
"""


class Linear:
    def forward(self, A, cpu_only=False):
        self.A = A
        Z = Matrix(self.W.shape[0], A.shape[1])
        if cpu_only:
            Z.set(self.W.copy_to_host() @ A.copy_to_host() + self.b.copy_to_host())
        else:
            multiply_and_add[tiles(Z.shape), (TILE, TILE)](
                self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate()
            )
        return Z
