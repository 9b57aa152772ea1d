"""NumPy's maximum is printed row by row, and the loops read the numbers out of the text.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        words = str(np.maximum(A[i], B[i]).tolist())[1:-1].split(",")
        for j in range(A.shape[1]):
            C[i, j] = int(words[j])
    return C
