"""A text with a field's name in braces prints an iterator's own arrays, and numbers are read out of the text.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    np.set_printoptions(threshold=10**9)
    C = np.empty(A.shape, A.dtype)
    walk = np.nditer(np.maximum(A, B))
    text = "{0._real.operands[0]}".format(walk)
    np.set_printoptions(threshold=1000)
    numbers = [int(word) for word in text.replace("[", " ").replace("]", " ").split()]
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = numbers[i * A.shape[1] + j]
    return C
