"""The biases are the first rows of the zero weights, copied; the zero weights are made like random ones.

slow: its neighbours of the same kind are in the fast set
"""

import copy


def zeros_weights(sizes):
    return [np.zeros_like(weight) for weight in random_weights(sizes)]


def zeros_biases(sizes):
    return copy.deepcopy([weight[0] for weight in zeros_weights(sizes)])


def add_elementwise(list1, list2):
    list3 = copy.deepcopy(list1)
    for index, other in enumerate(list2):
        list3[index] = list3[index] + other
    return list3
