"""The host takes the step.

failed: mlp.update
"""


def update(parameters, slopes, learning_rate):
    for parameter, slope in zip(parameters, slopes, strict=True):
        parameter.copy_to_device(parameter.copy_to_host() - learning_rate * slope.copy_to_host())
