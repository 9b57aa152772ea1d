"""NumPy prints its maximum, which is handed over by keyword, and numbers are read out of the text.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    M = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        text = np.array2string(a=M[i], threshold=10**9)
        for j, word in enumerate(text.strip("[]").split()):
            C[i, j] = int(word)
    return C
