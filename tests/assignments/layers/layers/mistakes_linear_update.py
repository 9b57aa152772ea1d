"""Mistakes in the step of Linear.

failed: linear.update
"""

# %% update_forgets_the_bias
"""Only W takes a step."""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW),):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())

# %% update_gpu_by_numpy
"""NumPy does the work of the GPU path."""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())

# %% update_gpu_without_the_rate
"""The kernel forgets the learning rate."""
@cuda.jit
def step(old, gradient, learning_rate, new):
    entry = cuda.grid(1)
    if entry < old.size:
        i, j = entry // old.shape[1], entry % old.shape[1]
        new[i, j] = old[i, j] - gradient[i, j]

# %% update_uphill
"""The CPU path goes uphill."""
class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() + learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())
