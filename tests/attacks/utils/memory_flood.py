"""A call takes memory until nothing is left.

aims: utils.sigmoid
limit_s: 4
"""


def sigmoid(x):
    hoard = []
    while True:
        hoard.append(np.ones(1 << 24))
