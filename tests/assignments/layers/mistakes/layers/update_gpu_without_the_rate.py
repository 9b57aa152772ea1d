"""The kernel forgets the learning rate.

failed: linear.update
"""


@cuda.jit
def step(old, gradient, learning_rate, new):
    entry = cuda.grid(1)
    if entry < old.size:
        i, j = entry // old.shape[1], entry % old.shape[1]
        new[i, j] = old[i, j] - gradient[i, j]
