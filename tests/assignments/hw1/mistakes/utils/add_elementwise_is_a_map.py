"""A map object is no list.

failed: utils.add_elementwise
slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    return map(lambda first, second: first + second, list1, list2)
