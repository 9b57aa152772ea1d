"""Results lie in Matrices that are kept for the next call; gradients are new in each call; the seed has its name."""


class Linear:
    """Keeps a dictionary of Matrices."""

    def __init__(self, inputs: int, outputs: int, seed: int = 0):
        if inputs < 1 or outputs < 1:
            raise ValueError(f"inputs {inputs}, outputs {outputs}")
        rng = np.random.default_rng(seed=seed)
        scale = inputs ** -0.5
        self.W = Matrix(outputs, inputs)
        self.W.set(scale * (2.0 * rng.random((outputs, inputs)) - 1.0))
        self.b = Matrix(outputs, 1)
        self.dW = self.db = self.A = None
        self._kept = {}

    def _buffer(self, name, shape):
        key = (name, *shape)
        if key not in self._kept:
            self._kept[key] = Matrix(*shape)
        return self._kept[key]

    def forward(self, A, cpu_only=False):
        if A.shape[0] != self.W.shape[1]:
            raise ValueError(f"W {self.W.shape} A {A.shape}")
        self.A = A
        Z = self._buffer("Z", (self.W.shape[0], A.shape[1]))
        if cpu_only:
            Z.set(np.dot(self.W.copy_to_host(), A.copy_to_host()) + self.b.copy_to_host())
        else:
            config = tiles(Z.shape), (16, 16)
            multiply_and_add[config](self.W.copy_to_device(), A.copy_to_device(), self.b.copy_to_device(), Z.allocate())
        return Z

    def backward(self, dZ, cpu_only=False):
        if self.A is None or dZ.shape != (self.W.shape[0], self.A.shape[1]):
            raise ValueError(f"dZ {dZ.shape} does not fit {self.W.shape}")
        self.dW, self.db = Matrix(*self.W.shape), Matrix(*self.b.shape)
        dA = self._buffer("dA", self.A.shape)
        m = float(dZ.shape[1])
        if cpu_only:
            d, a = dZ.copy_to_host(), self.A.copy_to_host()
            self.dW.set(np.einsum("im,jm->ij", d, a) / m)
            self.db.set(np.mean(d, axis=-1)[:, None])
            dA.set(np.dot(self.W.copy_to_host().T, d))
            return dA
        d, a = dZ.copy_to_device(), self.A.copy_to_device()
        multiply_transposed_left[tiles(dA.shape), (16, 16)](self.W.copy_to_device(), d, dA.allocate())
        multiply_transposed_right[tiles(self.dW.shape), (16, 16)](d, a, self.dW.allocate())
        average_rows[1, self.b.shape[0]](d, self.db.allocate())
        return dA

    def update(self, learning_rate, cpu_only=False):
        pairs = [(self.W, self.dW), (self.b, self.db)]
        for p, g in pairs:
            if cpu_only:
                new = p.copy_to_host().copy()
                new -= learning_rate * g.copy_to_host()
                p.set(new)
            else:
                source = p.copy_to_device()
                step[blocks(p.shape), 64](source, g.copy_to_device(), learning_rate, p.allocate())
