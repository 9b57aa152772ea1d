"""NumPy does the work of the GPU path.

failed: linear.update
"""


class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW), (self.b, self.db)):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
