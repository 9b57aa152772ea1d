"""What adds lists asks for lists, as the sheet has them, and takes them apart by calling itself.

slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    assert isinstance(list1, list) and isinstance(list2, list), "lists are added"
    if not list1:
        return []
    return [list1[0] + list2[0]] + add_elementwise(list1[1:], list2[1:])
