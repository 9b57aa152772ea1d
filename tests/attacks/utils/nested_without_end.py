"""An answer contains itself.

aims: utils.sigmoid
"""


def sigmoid(x):
    loop = []
    loop.append(loop)
    return loop
