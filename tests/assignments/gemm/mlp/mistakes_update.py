"""Mistakes in the step.

failed: mlp.update
"""

# %% update_by_numpy
"""The host takes the step."""
def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.copy_to_device(parameter.copy_to_host() - learning_rate * slope.copy_to_host())

# %% update_of_weights_only
"""Biases take no step."""
def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters[::2], slopes[::2], strict=True):
        take_step[blocks(parameter.size), THREADS](parameter, slope, learning_rate)

# %% update_uphill
"""Steps go uphill."""
@cuda.jit
def take_step(parameter, gradient, learning_rate):
    entry = cuda.grid(1)
    if entry < parameter.size:
        i, j = entry // parameter.shape[1], entry % parameter.shape[1]
        parameter[i, j] += learning_rate * gradient[i, j]
