"""The experiment of the text, which is given to students: its data, its phases, and what it prints."""

import json
import shutil
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from subprocesses import ended

pytestmark = pytest.mark.wide

ROOT = Path(__file__).parents[3]
REFERENCE = ROOT / "reference/distributed"
MPIEXEC = shutil.which("mpiexec") or shutil.which("mpiexec", path=str(Path(sys.executable).parent))
mpi4py = pytest.importorskip("mpi4py")


@pytest.fixture(scope="module")
def train():
    rc, names = mpi4py.rc, ("train", "data_parallel", "network")
    before, rc.initialize = rc.initialize, False  # this process is no rank
    sys.path.insert(0, str(REFERENCE))
    try:
        yield __import__("train")
    finally:
        rc.initialize = before
        sys.path.remove(str(REFERENCE))
        for name in names:
            sys.modules.pop(name, None)


def test_the_report_has_rows_for_batch_sizes_and_learning_rates():
    program = "import json, measure; print(json.dumps(measure.measure_batches(measure.MPI.COMM_SELF)))"
    done = ended([sys.executable, "-c", program], cwd=REFERENCE, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    sizes = ((5000, 1), (500, 4), (50, 36))
    assert [row[:3] for row in rows] == [[size, rate, steps] for size, steps in sizes for rate in (0.1, 1.0)]
    costs, shares = [row[3] for row in rows], [row[4] for row in rows]
    assert costs[4] < costs[0]
    assert shares[5] > max(0.5, shares[0])


def test_the_program_is_the_same_in_both():
    assert (ROOT / "student_template/distributed/train.py").read_bytes() == (REFERENCE / "train.py").read_bytes()


@pytest.mark.parametrize("side", [8, 20, 28])
def test_pictures_are_shrunk_to_20_by_20_and_keep_their_mean(train, side):
    images = np.random.default_rng(0).random((3, side, side))
    rows = train.shrink(images)
    assert (rows.shape, rows.mean(axis=1)) == ((3, 400), pytest.approx(images.mean(axis=(1, 2))))
    assert rows[0, 0] == pytest.approx(images[0, 0, 0] if side <= 20 else images[0, :2, :2].ravel() @ WEIGHTS)


WEIGHTS = np.outer([5 / 7, 2 / 7], [5 / 7, 2 / 7]).ravel()
"""Of the four pixels that the first one of 20 × 20 covers."""


def test_the_data_are_digits_or_a_folder_of_idx_files_or_the_texts_mat_file(train, tmp_path):
    inputs, labels = train.load()
    assert (inputs.shape, inputs.max(), {*labels}) == ((1797, 400), 1.0, {*range(10)})
    savemat(tmp_path / "mnistdata.mat", {"X": np.ones((2, 400), ">f4"), "y": np.array([[10], [3]], "u1")})
    inputs, labels = train.load(str(tmp_path / "mnistdata.mat"))
    assert (inputs.dtype, labels.tolist()) == (np.float64, [0, 3])
    with pytest.raises(FileNotFoundError, match="train-images"):
        train.load(str(tmp_path))
    for name, array in (("images-idx3", np.full((2, 28, 28), 255, "u1")), ("labels-idx1", np.array([7, 0], "u1"))):
        head = struct.pack(f">{1 + array.ndim}I", 0x800 + array.ndim, *array.shape)
        (tmp_path / f"train-{name}-ubyte").write_bytes(head + array.tobytes())
    inputs, labels = train.load(str(tmp_path))
    assert (inputs, labels.tolist()) == (pytest.approx(np.ones((2, 400))), [7, 0])


def test_calls_are_timed_by_phase_whatever_their_case(train):
    class Comm:
        rank = 1

        def __getattr__(self, name):
            return lambda *args, **options: (name, args, options)

    comm = train.TimedComm(Comm())
    assert (comm.rank, comm.Allreduce(1, op=2)) == (1, ("Allreduce", (1,), {"op": 2}))
    for name in ("Scatterv", "bcast", "Gather", "Send"):
        getattr(comm, name)()
    assert {*comm.seconds} == {"scatter", "broadcast", "gather", "other calls"}
    assert min(comm.seconds.values()) > 0


@pytest.mark.skipif(not MPIEXEC, reason="needs mpiexec")
def test_two_ranks_learn_digits_with_the_costs_of_one_process():
    done = ended([MPIEXEC, "-n", "2", sys.executable, "train.py"], cwd=REFERENCE, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = {line.split(":")[0].split("  ")[0]: line for line in done.stdout.splitlines()}
    costs = [float(cost) for cost in lines["cost before each step"].partition(":")[2].split(",")]
    assert len(costs) == 60
    assert 5.5 < costs[0] < 8.5
    assert 3 < costs[-1] < 3.4
    assert float(lines["largest difference on ranks"].split()[4].rstrip(";")) < 1e-12
    assert {"scatter", "broadcast", "forward", "backward", "gather", "update", "whole"} <= {*lines}
    assert 0.1 < float(done.stdout.split()[-1]) < 0.9
