"""db is the first column.

failed: linear.backward.gpu
"""


@cuda.jit
def average_rows(dZ, db):
    i = cuda.grid(1)
    if i < db.shape[0]:
        db[i, 0] = dZ[i, 0]
