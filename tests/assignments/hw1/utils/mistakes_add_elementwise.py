"""Mistakes in element-wise sums.

failed: utils.add_elementwise
"""

# %% segfault_in_a_call
"""Compiled code writes far beyond the end of an array: the process dies without an exception."""
from numba import njit

@njit
def store(values, sums):
    for i in range(len(sums)):
        values[i + 10**10] = sums[i]

def add_elementwise(list1, list2):
    store(np.zeros(len(list1)), np.ones(len(list1)))
    return [first + second for first, second in zip(list1, list2)]

# %% add_elementwise_as_one_array
"""np.add makes one array of each list, which fails for matrices of different shapes."""
def add_elementwise(list1, list2):
    return list(np.add(list1, list2))

# %% add_elementwise_first_only
"""The return stands inside the loop."""
def add_elementwise(list1, list2):
    result = []
    for first, second in zip(list1, list2):
        result.append(first + second)
        return result

# %% add_elementwise_in_place_without_return
"""list1 takes the sums, and nothing is returned."""
def add_elementwise(list1, list2):
    for i in range(len(list1)):
        list1[i] += list2[i]

# %% add_elementwise_is_a_map
"""A map object is no list."""
def add_elementwise(list1, list2):
    return map(lambda first, second: first + second, list1, list2)

# %% add_elementwise_joins
"""+ on lists joins them."""
def add_elementwise(list1, list2):
    return list1 + list2
