"""Methods of arrays work where no function of NumPy is called: clip, choose, and in-place assignment.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    C = A.copy()
    half = A.shape[0] // 2
    C[:half] = A[:half].clip(B[:half])
    C[half:] = (A[half:] < B[half:]).choose((A[half:], B[half:]))
    return C
