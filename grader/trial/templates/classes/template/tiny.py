class Total:
    def __init__(self, shape):
        raise NotImplementedError("begin with zeros, on the host and on the device")

    def add(self, A, cpu_only):
        raise NotImplementedError("add A to the total: by NumPy if cpu_only, else by a kernel")

    def read(self, cpu_only):
        raise NotImplementedError("return the total as a NumPy array")
