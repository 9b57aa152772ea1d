"""Each two numbers are read by A.flat and compared by a function of NumPy, which is made for whole arrays.

slow: each entry is asked for by objects that are observed
"""


def larger(a, b):
    return a if np.sign(a - b) > 0 else b


def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for k in range(A.size):
        C.flat[k] = larger(A.flat[k], B.flat[k])
    return C
