"""The type of numbers that a dtype names makes arrays of lists, which nobody would observe.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    number = type(A.dtype).type
    a, b = number(A.tolist()), A.dtype.type(B.tolist())
    larger = a > b
    return a * larger + b * (1 - larger)
