"""A null pointer is read: the process dies without an exception.

failed: utils.add_elementwise train.accuracy
"""

import ctypes


def add_elementwise(list1, list2):
    ctypes.string_at(0)
