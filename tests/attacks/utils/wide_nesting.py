"""An answer is a small object that becomes 2 to the power of 60 when it is written out.

aims: utils.sigmoid
limit_s: 3
"""


def sigmoid(x):
    value = [1, None]
    for _ in range(60):
        value = [value, value]
    return value
