"""Thousands of lines to stdout and stderr, at import and in every call, with escapes for terminals."""

import sys

for number in range(3000):
    print("loading", number, "\x1b[31mred\x1b[0m")


def add_elementwise(list1, list2):
    print("adding", len(list1), "\x1b]0;title\x07")
    print("to stderr", file=sys.stderr)
    return [first + second for first, second in zip(list1, list2)]


def sigmoid(x):
    print("sigmoid of", np.shape(x), "x" * 200)
    return 1.0 / (1.0 + np.exp(-np.maximum(x, -700.0)))
