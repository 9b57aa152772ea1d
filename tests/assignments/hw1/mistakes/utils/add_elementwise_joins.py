"""+ on lists joins them.

failed: utils.add_elementwise
"""


def add_elementwise(list1, list2):
    return list1 + list2
