"""Matrices have operators, in place, reflected and unary ones too, and numbers of the type that the dtype names.
"""


class Matrix:
    __array_priority__ = 1000

    def set(self, values):
        values = np.array(values, dtype=self.host.dtype.type)
        if values.shape != self.shape:
            raise ValueError(f"{values.shape} is not {self.shape}")
        self.host = values
        self.is_new_on_host, self.is_new_on_device = True, False

    def made(self, values):
        other = type(self)(*np.shape(values))
        other.set(values)
        return other

    def __isub__(self, other):
        self.set(self.copy_to_host() - (other.copy_to_host() if isinstance(other, Matrix) else other))
        return self

    def __imul__(self, factor):
        self.set(self.copy_to_host() * factor)
        return self

    def __matmul__(self, other):
        return self.made(self.copy_to_host() @ other.copy_to_host())

    def __rmul__(self, factor):
        return self.made(factor * self.copy_to_host())

    def __neg__(self):
        return self.made(-self.copy_to_host())

    def __rtruediv__(self, number):
        return self.made(number / self.copy_to_host())
