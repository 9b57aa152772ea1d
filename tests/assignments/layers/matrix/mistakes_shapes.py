"""Shapes that nobody looks at.

failed: matrix.shapes
"""

# %% no_rows_are_allowed
"""A matrix of no rows is made."""
class Matrix:
    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.host = np.zeros((max(rows, 0), max(columns, 0)))
        self.device = None
        self.is_new_on_host = True
        self.is_new_on_device = False

# %% set_broadcasts
"""`set` writes into its array, and NumPy repeats one row for all."""
class Matrix:
    def set(self, values):
        self.copy_to_host()
        self.host = self.host.copy()
        self.host[:] = values
        self.is_new_on_host, self.is_new_on_device = True, False

# %% set_takes_any_shape
"""`set` does not look at the shape."""
class Matrix:
    def set(self, values):
        self.host = np.array(values, dtype=np.float64)
        self.is_new_on_host, self.is_new_on_device = True, False
