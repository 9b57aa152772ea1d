"""The experiment of the text: the network of part 1 learns pictures, by one process and by several.

    mpiexec -n 4 python train.py            handwritten digits, which scikit-learn brings along
    mpiexec -n 4 python train.py FOLDER     MNIST or Fashion-MNIST: the IDX files of their authors, packed or not
    mpiexec -n 4 python train.py FILE.mat   the text's file: X, 400 numbers for each sample, and y, from 1 to 10

Pictures of other sizes are shrunk to 20 x 20. The table is for your report.
"""

import gzip
import math
import sys
import time
from pathlib import Path

import numpy as np
from data_parallel import share_samples, train
from mpi4py import MPI
from network import gradient_descent, predict, random_weights
from threadpoolctl import threadpool_limits

SIDE, HIDDEN, CLASSES, SAMPLES = 20, 25, 10, 5000
CALLS = {"scatter": ("scatter",), "broadcast": ("bcast",), "gather": ("gather", "reduce")}
"""Phase -> what is in the names of MPI's calls for it, in upper or lower case; a reduction gathers and adds up."""


class TimedComm:
    """A communicator that adds up the seconds of its calls by phase, in `seconds`."""

    def __init__(self, comm):
        self.comm, self.seconds = comm, {}

    def __getattr__(self, name):
        found = getattr(self.comm, name)
        return self._timed(name.lower(), found) if callable(found) else found

    def _timed(self, name, call):
        phase = next((phase for phase, words in CALLS.items() if any(word in name for word in words)), "other calls")

        def call_timed(*args, **options):
            start = time.perf_counter()
            try:
                return call(*args, **options)
            finally:
                self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - start

        return call_timed


def load(path=""):
    """Return pictures as rows of 400 numbers from 0 to 1, and labels from 0 on, of at most 5000 samples."""
    if not path:
        from sklearn.datasets import load_digits  # noqa: PLC0415 - it takes a second

        digits = load_digits()
        inputs, labels = shrink(digits.images / 16), digits.target
    elif path.endswith(".mat"):
        from scipy.io import loadmat  # noqa: PLC0415 - the same

        found = loadmat(path)
        inputs, labels = found["X"].astype(float), found["y"].ravel().astype(int) % CLASSES  # 10 stands for 0
    else:
        images, labels = (read_idx(Path(path), f"train-{what}") for what in ("images", "labels"))
        inputs, labels = shrink(images[:SAMPLES] / 255), labels.astype(int)
    return inputs[:SAMPLES], labels[:SAMPLES]


def read_idx(folder, begin):
    """Return the array of the IDX file whose name begins so: its rank in byte 3, then the lengths, then bytes."""
    paths = sorted(folder.glob(f"{begin}*"))
    if not paths:
        raise FileNotFoundError(f"{folder.resolve()} has no file {begin}…: put MNIST's four files there")
    raw = paths[0].read_bytes()
    raw = gzip.decompress(raw) if paths[0].suffix == ".gz" else raw
    shape = np.frombuffer(raw, ">i4", raw[3], 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * len(shape)).reshape(shape)


def shrink(images):
    """Return square pictures as rows of 20 x 20 numbers: pixels are repeated, then squares of them averaged."""
    side = images.shape[1]
    common = math.gcd(side, SIDE)
    repeated = np.repeat(np.eye(side), SIDE // common, axis=0)
    pool = repeated.reshape(SIDE, side // common, side).mean(axis=1)
    return (pool @ images @ pool.T).reshape(len(images), -1)


def measure_parallel(comm, data, thetas):
    """Return phase -> seconds on this rank, `whole` for the training, and what `train` returns; rank 0 has the data."""
    timed, given = TimedComm(comm), (*data, *thetas) if comm.rank == 0 else (None,) * 4
    comm.Barrier()
    start = time.perf_counter()
    trained = train(timed, *given)
    whole = time.perf_counter() - start
    mine = share_samples(comm, *given[:2])
    computed = gradient_descent(*mine, *trained[:2])[3]  # what each rank computes: its share, all at the same time
    return {**timed.seconds, **computed, "whole": whole}, trained


def measure_sequential(data, thetas):
    """Return phase -> seconds of the training by one process, `whole` for all of it, and theta1, theta2 and costs."""
    start = time.perf_counter()
    *trained, seconds = gradient_descent(*data, *thetas)
    return {**seconds, "whole": time.perf_counter() - start}, trained


def wait(comm):
    """Wait for all ranks and leave them the processor: MPI's own waiting asks without a pause."""
    request = comm.Ibarrier()
    while not request.Test():
        time.sleep(0.005)


def run(comm, path=""):
    """Return, on rank 0, the seconds of both trainings, their costs, and the precision; None elsewhere."""
    data = thetas = alone = None
    with threadpool_limits(1):  # a process uses one core, so that processes can be compared
        if comm.rank == 0:
            data, thetas = load(path), (random_weights(SIDE**2, HIDDEN), random_weights(HIDDEN, CLASSES))
            alone = measure_sequential(data, thetas)
        wait(comm)
        seconds, trained = measure_parallel(comm, data, thetas)
    if comm.rank:
        return None
    precision = float(np.mean(predict(*trained[:2], data[0]) == data[1]))
    found = {"samples": len(data[0]), "ranks": comm.size, "precision": precision}
    return found | {"sequential": alone[0], "parallel": seconds, "costs": alone[1][2], "parallel_costs": trained[2]}


def main():
    """Print the table, and the costs."""
    found = run(MPI.COMM_WORLD, *sys.argv[1:2])
    if found is None:
        return
    print(f"400-25-10, {found['samples']} samples, {len(found['costs'])} steps; seconds of rank 0")
    print(f"{'':12}{'1 process':>12}{'ranks: ' + str(found['ranks']):>12}")
    for phase in ("scatter", "broadcast", "forward", "backward", "gather", "update", "other calls", "whole"):
        cells = [found[way].get(phase) for way in ("sequential", "parallel")]
        if any(cells):
            print(f"{phase:12}" + "".join(" " * 12 if cell is None else f"{cell:12.4f}" for cell in cells))
    costs = np.array([found["costs"], found["parallel_costs"]])
    print("cost before each step:", ", ".join(f"{cost:.3f}" for cost in costs[0]))
    print(f"largest difference on ranks: {np.abs(costs[0] - costs[1]).max():.1e}; precision: {found['precision']:.4f}")


if __name__ == "__main__":
    main()
