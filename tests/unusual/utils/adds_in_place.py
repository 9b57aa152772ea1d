"""list1 is overwritten entry by entry: a TA looks, the points stay.

slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    result = list(list1)
    for i in range(len(result)):
        result[i] = result[i] + list2[i]
    return result
