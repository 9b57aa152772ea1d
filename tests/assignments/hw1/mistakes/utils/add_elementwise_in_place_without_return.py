"""list1 takes the sums, and nothing is returned.

failed: utils.add_elementwise
slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    for i in range(len(list1)):
        list1[i] += list2[i]
