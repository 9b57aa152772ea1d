"""Only W takes a step.

failed: linear.update
"""


class Linear:
    def update(self, learning_rate, cpu_only=False):
        for parameter, gradient in ((self.W, self.dW),):
            if cpu_only:
                parameter.set(parameter.copy_to_host() - learning_rate * gradient.copy_to_host())
            else:
                old = parameter.copy_to_device()
                step[blocks(parameter.shape), THREADS](old, gradient.copy_to_device(), learning_rate, parameter.allocate())
