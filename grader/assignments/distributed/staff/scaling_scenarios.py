"""Times for the scaling of the training: of the training itself, and of messages between two ranks."""

import time

import numpy as np
import training_scenarios


def timed(here, shapes, seed, settings):
    """Train with samples that rank 0 draws, and say how long this rank took; all begin together."""
    rng = np.random.default_rng(seed)
    samples, theta1, theta2 = shapes
    inputs = rng.random(samples) if here.rank == 0 else None
    labels = rng.integers(0, theta2[0], samples[0]) if here.rank == 0 else None
    thetas = rng.uniform(-0.12, 0.12, theta1), rng.uniform(-0.12, 0.12, theta2)
    here.comm.barrier()
    start = time.perf_counter()
    trained = training_scenarios.trained(here, (inputs, labels), thetas, settings)
    return {"seconds": time.perf_counter() - start, "costs": trained["costs"]}


def messages(here, sizes, repeats):
    """Return pairs of bytes and seconds of a message by the library alone, and the seconds of a short traced call."""
    library = here.comm._mpi_line.real  # noqa: SLF001 - the staff may know what stands behind it
    found, one = np.zeros(1), np.zeros(1)
    traced_s = [_took(lambda: here.comm.Allreduce(one, found)) for _ in range(repeats)]
    return {
        "library": [(size, _ping_pong(library, 1 - here.rank, size, repeats)) for size in sizes],
        "traced_s": min(traced_s),
    }


def _ping_pong(comm, other, size, repeats):
    """Return the shortest time of one message of so many bytes: half of what it takes there and back."""
    array = np.zeros(size, np.uint8)
    first, second = (comm.Send, comm.Recv) if other else (comm.Recv, comm.Send)
    return min(_took(lambda: (first(array, other), second(array, other))) for _ in range(repeats)) / 2


def _took(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
