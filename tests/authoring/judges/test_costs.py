"""What launches cost and whether they race, counted where the executor runs them; what is right is left alone."""

from contextlib import closing
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each
from sliced_handins import open_text

from grader.authoring import Inconclusive, Note, StudentFault, fail
from grader.authoring.judges import costs, races

SUMS = """
    import numpy as np
    from numba import cuda, float64

    @cuda.jit
    def through_shared_memory(x, out):
        held = cuda.shared.array(1024, float64)
        i = cuda.threadIdx.x
        held[32 * i] = x[i]
        cuda.syncthreads()
        out[i] = held[32 * i] + x[i]

    def double(x):
        out = cuda.device_array(x.size)
        through_shared_memory[1, 32](cuda.to_device(x), out)
        return out.copy_to_host()

    def double_here(x):
        return 2 * x
"""


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    handin = open_text(tmp_path_factory.mktemp("sums"), "sums", SUMS, [("sums", "double"), ("sums", "double_here")])
    yield handin
    handin.close()


def saying(told):
    """Return a student whose worker says this of a call, whatever it was."""
    return SimpleNamespace(why_open=lambda *_: "", ask_executor=lambda *_args, **_options: SimpleNamespace(value=told))


def count(student, function, args=()):
    """Return the costs of a call that counts as right."""
    run = costs.run(student, ("sums", function), args, [("sums", function)], f"`{function}`")
    return run.compared(lambda _value: None, Note()).seen


def test_loads_and_conflicts_are_counted(student):
    run = costs.run(student, ("sums", "double"), (np.ones(32),), [("sums", "double")], "`double`")
    assert np.array_equal(run.value, np.full(32, 2.0))
    found = count(student, "double", (np.ones(32),))
    assert found.kernels == ("through_shared_memory",)
    assert (found.threads, found.requests, found.lanes) == (32, 2, 32)
    assert (found.global_bytes, found.shared_bytes) == (2 * 32 * 8, 32 * 8)
    assert found.passes == 2 * 32 > found.least_passes == 2 * 2
    assert found.conflict_percent == 1500


def test_passes_beyond_those_that_are_needed_do_not_excuse_conflicts(student):
    assert count(student, "double_here", (np.ones(32),)).share_without_conflicts(4) == 1
    conflicts = count(student, "double", (np.ones(32),))
    assert [conflicts.share_without_conflicts(most) for most in (4, 9, 1)] == [1 / 16, 1 / 16, 1 / 61]


def test_a_call_without_launches_costs_nothing(student):
    found = count(student, "double_here", (np.ones(32),))
    assert (found.kernels, found.threads, found.conflict_percent) == ((), 0, 0)


FORGED, UNFOLLOWED = {"launches": [{"kernel": 1}], "complete": True}, {"launches": [], "complete": False}


@each("told", FORGED, UNFOLLOWED, {"launches": []}, None)
def test_what_was_forged_and_what_lacks_an_access_is_for_a_person(told):
    with pytest.raises(Inconclusive, match="could not be counted" if told is FORGED else "Not every access"):
        count(saying(told), "double")


TINY = (np.arange(1.0, 17.0).reshape(4, 4),)
WIDE = (np.arange(1.0, 65.0).reshape(8, 8),)
RACING = """
    import numpy as np
    from numba import cuda, float64

    @cuda.jit(device=True)
    def add_to(out, i, value):
        out[i] += value

    @cuda.jit
    def adds_in_a_device_function(x, out):
        add_to(out, cuda.threadIdx.x % 2, x[0, cuda.threadIdx.x])

    @cuda.jit
    def adds_in_a_view(x, out):
        half = out[:2]
        half[cuda.threadIdx.x % 2] += x[0, cuda.threadIdx.x]

    @cuda.jit
    def reads_the_neighbour(x, first, second):
        i = cuda.threadIdx.x
        first[i] = second[i + 1] + x[0, i]

    @cuda.jit
    def last_writer_wins(x, out):
        out[0] = x[0, cuda.threadIdx.x]

    @cuda.jit
    def later_block_wins(x, out):
        out[0] = x[0, cuda.blockIdx.x]

    @cuda.jit
    def all_write_the_same(x, out):
        out[0] = x.shape[0]

    @cuda.jit
    def sums_are_atomic(x, out):
        cuda.atomic.add(out, 0, x[0, cuda.threadIdx.x])

    @cuda.jit
    def made_for_eight_columns(x, out):
        out[0] += x[0, cuda.threadIdx.x + 4]

    @cuda.jit
    def racing_on_small_arrays_only(x, out):
        out[cuda.threadIdx.x * x.shape[0] // 8] = x[0, cuda.threadIdx.x]

    @cuda.jit
    def sums_of_many(x, out):
        total = cuda.local.array(1, float64)
        total[0] = 0
        for _ in range(4000):
            total[0] += x[0, cuda.threadIdx.x]
        out[cuda.threadIdx.x] = total[0]

    def call_aliased(x):
        memory = cuda.to_device(np.zeros(16))
        reads_the_neighbour[1, 4](x, memory[:8], memory[:8])
        return memory.copy_to_host()
"""
CALL = """
    def call_{kernel}(x):
        out = cuda.to_device(np.zeros(16))
        {kernel}[{blocks}, 4](x, out)
        return out.copy_to_host()
"""
OF_ONE_BLOCK = (
    *("adds_in_a_device_function", "adds_in_a_view", "last_writer_wins", "made_for_eight_columns"),
    *("racing_on_small_arrays_only", "sums_of_many"),
)
BLOCKS = dict.fromkeys(OF_ONE_BLOCK, 1) | {"later_block_wins": 2, "all_write_the_same": 3, "sums_are_atomic": 2}


@pytest.fixture(scope="module")
def handin(tmp_path_factory):
    text = RACING + "".join(CALL.format(kernel=kernel, blocks=blocks) for kernel, blocks in BLOCKS.items())
    graded = [("racing", f"call_{name}") for name in ("aliased", *BLOCKS)]
    with closing(open_text(tmp_path_factory.mktemp("racing"), "racing", text, graded)) as opened:
        yield opened


class Asked:
    """A student, and the sizes of the arrays with which the worker of slices was asked."""

    def __init__(self, handin):
        self.sizes, self.doubts_about, self._handin = [], {}, handin

    def ask_slices(self, observer, function, args, **options):
        self.sizes.append(args[2][0].shape[0])
        return self._handin.ask_slices(observer, function, args, **options)


@pytest.fixture
def asked(handin):
    return Asked(handin)


def flags_of(asked, kernel, wide=(), device="cpu"):
    note, setup = Note(), SimpleNamespace(device=device)
    with races.explained(asked, ("racing", f"call_{kernel}"), TINY, setup, note, wide):
        pass
    return note.flags


@each(
    "kernel, kind",
    *(("adds_in_a_device_function", "read-write race on out"), ("adds_in_a_view", "read-write race on out")),
    *(("aliased", "read-write race on"), ("last_writer_wins", "write-write race on out")),
    ("later_block_wins", "write-write race on out"),
)
def test_a_race_behind_right_numbers_is_flagged(asked, kernel, kind):
    (flag,) = flags_of(asked, kernel)
    assert flag.startswith("right on this processor, where threads take turns")
    assert kind in flag


FOLLOWED = {
    "right in every order, because all write the same": ("all_write_the_same", WIDE, False, [4]),
    "right in every order, because sums are atomic": ("sums_are_atomic", WIDE, False, [4]),
    "made for the sheet's size, which nobody tries": ("made_for_eight_columns", (), False, [4]),
    "made for the sheet's size": ("made_for_eight_columns", WIDE, True, [4, 8]),
    "racing on small arrays": ("racing_on_small_arrays_only", (), True, [4]),
    "racing on small arrays, and not at the sheet's size": ("racing_on_small_arrays_only", WIDE, False, [4, 8]),
    "long loops, which are followed in part": ("sums_of_many", WIDE, False, [4, 8]),
}


@each("kernel, wide, is_flagged, sizes", FOLLOWED)
def test_kernels_are_followed_at_two_sizes_where_the_sheets_decides(handin, kernel, wide, is_flagged, sizes):
    asked = Asked(handin)
    assert bool(flags_of(asked, kernel, wide)) is is_flagged
    assert asked.sizes == sizes


def test_on_a_gpu_nobody_can_follow(asked):
    assert not flags_of(asked, "last_writer_wins", device="gpu")
    assert not asked.sizes


def test_wrong_numbers_get_the_race_for_a_hint(asked):
    call, setup = ("racing", "call_last_writer_wins"), SimpleNamespace(device="cpu")
    with pytest.raises(StudentFault) as caught, races.explained(asked, call, TINY, setup, None):
        fail("wrong numbers")
    assert "write-write race on out" in caught.value.finding.hint
    with pytest.raises(StudentFault) as caught, races.explained(asked, call, TINY, setup, None):
        fail("wrong numbers", hint="the last row is missing")
    assert caught.value.finding.hint == "the last row is missing"
