"""np.add per entry, in a map that is turned into a list; a main block that never runs here.

slow: its neighbours of the same kind are in the fast set
"""


def add_elementwise(list1, list2):
    return list(map(np.add, list1, list2))


if __name__ == "__main__":
    raise SystemExit("only as a script")
