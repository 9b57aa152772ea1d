"""Mistakes in ReLU on the GPU.

failed: relu.gpu
"""

# %% relu_gpu_by_numpy
"""NumPy does the work of the GPU path."""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            A.set(np.maximum(0, Z.copy_to_host()))
        return A

# %% relu_gpu_leaks
"""A leaky one: a tenth where Z is negative."""
@cuda.jit
def relu(Z, A):
    entry = cuda.grid(1)
    if entry < Z.size:
        i, j = entry // Z.shape[1], entry % Z.shape[1]
        A[i, j] = max(0.1 * Z[i, j], Z[i, j])

# %% relu_gpu_rounds_down
"""As many blocks as fit whole: the last entries have no thread."""
class ReLU:
    def forward(self, Z, cpu_only=False):
        self.Z = Z
        A = Matrix(*Z.shape)
        if cpu_only:
            A.set(np.maximum(0, Z.copy_to_host()))
        else:
            relu[Z.shape[0] * Z.shape[1] // THREADS, THREADS](Z.copy_to_device(), A.allocate())
        return A
