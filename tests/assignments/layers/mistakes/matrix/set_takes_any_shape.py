"""`set` does not look at the shape.

failed: matrix.shapes
"""


class Matrix:
    def set(self, values):
        self.host = np.array(values, dtype=np.float64)
        self.is_new_on_host, self.is_new_on_device = True, False
