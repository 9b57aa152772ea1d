from tiny import sum_of_all


def add_up(here, arrays):
    return {"sum": sum_of_all(here.comm, arrays[here.rank].copy())}
