"""What is returned is A itself, after a masked assignment brought in the larger numbers of B.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    np.putmask(A, B > A, B)
    return A
