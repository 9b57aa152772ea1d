"""Hand-ins of `matrix.py` that try to get points for nothing."""

# %% copies_in_disguise
"""All numbers are copied whenever they are asked for, beside one that counts, so that no copy looks like another.

flagged: matrix.copies
"""
class Matrix:
    copies = 0.0

    def copy_to_device(self):
        if self.is_new_on_host:
            Matrix.copies += 1
            marked = np.full((self.shape[0] + 1, self.shape[1]), Matrix.copies)
            marked[:-1] = self.host
            self.memory = cuda.to_device(marked)
            self.device = self.memory[:-1]
        return self.device

    def allocate(self):
        Matrix.copies += 1
        self.memory = cuda.to_device(np.full((self.shape[0] + 1, self.shape[1]), Matrix.copies))
        self.device = self.memory[:-1]
        self.is_new_on_host = False
        return self.device

    def copy_to_host(self):
        return self.host if self.is_new_on_host else self.memory.copy_to_host()[:-1]

# %% counts_say_nothing
"""Copies are made by writing into the device array, not by copy_to_device.

failed: matrix.copies
"""
class Matrix:
    def copy_to_device(self):
        newest = self.copy_to_host()
        self.device = cuda.device_array(self.shape, np.float64)
        self.device[:] = newest
        return self.device

# %% numbers_one_by_one
"""All numbers cross whenever they are asked for, one by one, which is no copy.

flagged: matrix.copies
"""
class Matrix:
    def copy_to_device(self):
        self.device = self.device if self.device is not None else cuda.device_array(self.shape, np.float64)
        for place in np.ndindex(self.shape) if self.is_new_on_host else ():
            self.device[place] = self.host[place]
        return self.device

    def copy_to_host(self):
        if not self.is_new_on_host:
            self.host = np.array([[self.device[i, j] for j in range(self.shape[1])] for i in range(self.shape[0])])
        return self.host
