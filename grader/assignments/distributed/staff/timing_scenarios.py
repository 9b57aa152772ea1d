"""Trainings with their times: by one process and by several, by phases; and messages between two ranks."""

import os
import time

import numpy as np
from network import gradient_descent
from threadpoolctl import threadpool_limits

from grader.mpi import coordinator

CALLS = {"scatter": ("scatter",), "broadcast": ("bcast",), "gather": ("gather", "reduce")}
"""Phase -> parts of the names of its MPI calls; a reduction gathers, and adds up."""
KNOWN, LIMIT_S = 6, 120.0  # how many costs the kit knows, and the limit of a run on ranks, in seconds


def timed(inputs, labels, theta1, theta2, iterations):
    """Train and say how long it took."""
    with threadpool_limits(1):  # clocks of processor time add up the threads
        start = time.perf_counter()
        *_, seconds = gradient_descent(inputs, labels, theta1, theta2, 0.1, iterations, 0.0)
        whole_s = time.perf_counter() - start
    return {"whole": whole_s, "phases": {str(name): float(phase_s) for name, phase_s in seconds.items()}}


def train_alone(*args):
    """Return the first costs of a training by one process on one core, and its seconds, for `grader bench`."""
    with threadpool_limits(1):
        start = time.perf_counter()
        *_, costs, seconds = gradient_descent(*args)
        whole_s = time.perf_counter() - start
    return {"value": list(costs)[:KNOWN], "seconds": {"whole": whole_s, **seconds}}


def train_on_ranks(*args):
    """Return the same of a training on as many ranks as cores: the phases of rank 0, the whole of the slowest rank."""
    result = _run("train_on_rank", args)
    values, phases_s = [*result["values"].values()], _run("compute_on_rank", args)["values"]["0"]
    calls, inside_s = result["calls"], {}
    for rank, name, at_s, done_s in zip(*(calls[key] for key in ("rank", "name", "at_s", "done_s")), strict=True):
        names = (phase for phase, words in CALLS.items() if any(word in name.lower() for word in words))
        if rank == 0 and done_s >= 0:
            phase = next(names, "other calls")
            inside_s[phase] = inside_s.get(phase, 0.0) + done_s - at_s
    seconds = {"whole": max(value["seconds"] for value in values), **inside_s, **phases_s}
    return {"value": values[0]["costs"][:KNOWN], "seconds": seconds}


def _run(function, args):
    """Run a function of this file on ranks; return what the coordinator returns, or raise what a rank raised."""
    size = int(os.environ["OMP_NUM_THREADS"])
    result = coordinator.run_in_worker(False, (size, size), (__name__, function), args, LIMIT_S)
    for kind, text, *_ in result.get("raised", {}).values():
        raise type(kind, (Exception,), {})(text)
    if result["problem"]:
        raise RuntimeError(result["text"])
    return result


def train_on_rank(here, inputs, labels, theta1, theta2, *settings):
    """Train with what rank 0 is given, and say how long this rank took; all begin together."""
    import training_scenarios  # noqa: PLC0415 - needs a file that the training by one process does not

    with threadpool_limits(1):
        here.comm.barrier()
        start = time.perf_counter()
        trained = training_scenarios.trained(here, (inputs, labels), (theta1, theta2), settings)
        costs = [float(cost) for cost in trained["returned"][1][-1]]
        return {"seconds": time.perf_counter() - start, "costs": costs}


def compute_on_rank(here, inputs, labels, *rest):
    """Return the seconds of what each rank computes: the same steps with its own share, all at the same time."""
    import training_scenarios  # noqa: PLC0415 - the same

    with threadpool_limits(1):
        share = training_scenarios.shares(here, inputs, labels)
        return gradient_descent(share["inputs"], share["labels"], *rest)[3]


def scaled(here, shapes, seed, settings):
    """Train like `train_on_rank`, with samples that rank 0 draws."""
    rng = np.random.default_rng(seed)
    samples, theta1, theta2 = shapes
    inputs = rng.random(samples) if here.rank == 0 else None
    labels = rng.integers(0, theta2[0], samples[0]) if here.rank == 0 else None
    thetas = rng.uniform(-0.12, 0.12, theta1), rng.uniform(-0.12, 0.12, theta2)
    return train_on_rank(here, inputs, labels, *thetas, *settings)


def messages(here, sizes, repeats):
    """Return pairs of bytes and seconds of a message without tracing, and the seconds of a short traced call."""
    from grader.mpi.communicator import library_of  # noqa: PLC0415 - only ranks have MPI

    library = library_of(here.comm)
    total, summand = np.zeros(1), np.zeros(1)
    traced_s = [_took(lambda: here.comm.Allreduce(summand, total)) for _ in range(repeats)]
    return {
        "library": [(size, _ping_pong(library, 1 - here.rank, size, repeats)) for size in sizes],
        "traced_s": min(traced_s),
    }


def _ping_pong(comm, other, size, repeats):
    """Return the shortest time of a message of `size` bytes: half of the time that it takes there and back."""
    array = np.zeros(size, np.uint8)
    first, second = (comm.Send, comm.Recv) if other else (comm.Recv, comm.Send)
    return min(_took(lambda: (first(array, other), second(array, other))) for _ in range(repeats)) / 2


def _took(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
