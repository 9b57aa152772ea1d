"""The host never asks the device again: results of kernels stay there.

failed: matrix.values
"""


class Matrix:
    def copy_to_host(self):
        return self.host
