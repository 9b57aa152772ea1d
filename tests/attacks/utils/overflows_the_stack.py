"""A call recurses until the C stack ends.

aims: utils.sigmoid
"""

import sys


def sigmoid(x):
    sys.setrecursionlimit(10**8)

    def deeper(n):
        return [deeper(n + 1)].__len__() + sum(map(deeper, [n]))

    return deeper(0)
