"""Calls print, and write past `sys.stdout`, as fast as they can.

aims:
"""

import os


def sigmoid(x):
    for _ in range(200):
        os.write(1, b"grader-attack " * 9000)
        print("grader-attack " * 100)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
