"""A new matrix holds ones.

failed: matrix.values
"""


class Matrix:
    def __init__(self, rows, columns):
        if rows < 1 or columns < 1:
            raise ValueError(f"{rows} x {columns}")
        self.shape = (rows, columns)
        self.host = np.ones(self.shape)
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False
