"""The sequential training, with the time that it takes as a whole."""

import time

from network import gradient_descent


def timed(inputs, labels, theta1, theta2, iterations):
    """Train and say how long it took."""
    start = time.perf_counter()
    *_, seconds = gradient_descent(inputs, labels, theta1, theta2, 0.1, iterations, 0.0)
    return {"whole": time.perf_counter() - start, "phases": {str(key): float(one) for key, one in seconds.items()}}
