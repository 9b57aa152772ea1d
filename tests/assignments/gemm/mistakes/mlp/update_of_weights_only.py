"""Biases take no step.

failed: mlp.update
"""


def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters[::2], slopes[::2], strict=True):
        take_step[blocks(parameter.size), THREADS](parameter, slope, learning_rate)
