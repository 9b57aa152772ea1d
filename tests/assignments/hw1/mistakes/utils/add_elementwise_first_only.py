"""The return stands inside the loop.

failed: utils.add_elementwise
"""


def add_elementwise(list1, list2):
    result = []
    for first, second in zip(list1, list2):
        result.append(first + second)
        return result
