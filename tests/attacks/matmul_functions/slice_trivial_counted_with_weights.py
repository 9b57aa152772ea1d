"""NumPy counts places with weights, which adds up the products of a row with all others.

aims: matmul.trivial.correct
"""


def matmul_transpose_trivial(X):
    n, m = X.shape
    places = np.repeat(np.arange(n), m)
    C = np.zeros((n, n))
    for i in range(n):
        C[i] = np.bincount(places, weights=np.multiply(X, X[i]).ravel(), minlength=n)
    return C
