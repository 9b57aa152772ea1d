from tiny import Total


def add_all(matrices, cpu_only):
    total = Total(matrices[0].shape)
    for matrix in matrices:
        total.add(matrix, cpu_only)
    return {"total": total.read(cpu_only)}
