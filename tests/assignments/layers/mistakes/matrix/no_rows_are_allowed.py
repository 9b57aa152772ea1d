"""A matrix of no rows is made.

failed: matrix.shapes
"""


class Matrix:
    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.host = np.zeros((max(rows, 0), max(columns, 0)))
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False
