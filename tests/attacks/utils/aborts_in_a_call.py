"""A call aborts.

aims: utils.sigmoid
"""

import os


def sigmoid(x):
    os.abort()
