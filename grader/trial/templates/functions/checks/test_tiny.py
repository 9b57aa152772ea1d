from grader.authoring import check, expect
from grader.authoring.judges import kernels

ROWS, COLUMNS = 60, 50


def draw(rng):
    return rng.integers(0, 100, (ROWS, COLUMNS)), rng.integers(0, 100, (ROWS, COLUMNS))


def solve(A, B):
    return A + B, 0  # the right answer, and how far an entry may be off


@check("add.cpu")
def test_add_cpu(student, rng):
    """`add_cpu(A, B)` returns A + B, computed by plain loops."""
    A, B = draw(rng)
    expect("`add_cpu(A, B)`", student.tiny.add_cpu(A, B), A + B)


@check("add.gpu")
def test_add_gpu(student, rng):
    """`add_gpu(A, B)` returns A + B, computed by a CUDA kernel."""
    A, B = draw(rng)
    expect("`add_gpu(A, B)`", student.tiny.add_gpu(A, B), A + B)


@check("add.launch")
def test_add_launch(student, rng, note):
    """`add_gpu` launches `add_kernel` with one block for each row and one thread for each column."""
    call, counts = ("tiny", "add_gpu"), (ROWS, COLUMNS)
    owner = "add.gpu"  # the check to which a wrong answer belongs
    kernels.expect_launch(student, call, "add_kernel", counts, lambda: draw(rng), solve, note, owner)
