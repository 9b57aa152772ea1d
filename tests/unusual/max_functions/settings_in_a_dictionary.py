"""Settings are put into a dictionary by statements of the module, one after the other, before they are used."""

settings = {}
settings["rows"] = 1000
settings["columns"] = 1000
settings.update(dtype=np.int64, order="C")
for key, count in (("blocks", settings["rows"]), ("threads", settings["columns"])):
    settings[key] = count
settings.setdefault("stream", 0)
del key, count


def max_cpu(A, B):
    C = np.zeros((settings["rows"], settings["columns"]), dtype=settings["dtype"], order=settings["order"])
    for i in range(settings["rows"]):
        for j in range(settings["columns"]):
            C[i][j] = A[i][j] if A[i][j] >= B[i][j] else B[i][j]
    return C


@cuda.jit
def max_kernel(A, B, C):
    row = cuda.blockIdx.x
    column = cuda.threadIdx.x
    if row < C.shape[0] and column < C.shape[1]:
        if A[row, column] > B[row, column]:
            C[row, column] = A[row, column]
        else:
            C[row, column] = B[row, column]


def max_gpu(A, B):
    shape = settings["rows"], settings["columns"]
    d_C = cuda.device_array(shape, dtype=settings["dtype"])
    max_kernel[settings["blocks"], settings["threads"], settings["stream"]](cuda.to_device(A), cuda.to_device(B), d_C)
    cuda.synchronize()
    return d_C.copy_to_host()
