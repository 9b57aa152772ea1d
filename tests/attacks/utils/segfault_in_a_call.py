"""A call reads address 0.

aims: utils.sigmoid
"""


def sigmoid(x):
    import ctypes

    return ctypes.string_at(0)
