"""Classes of a hand-in, driven by functions of the staff in the worker of slices."""

from types import SimpleNamespace

import numpy as np
import pytest
from msgspec import structs
from sliced_handins import open_text

from grader.authoring import Inconclusive, Note, StudentFault, StudentRaised
from grader.authoring.judges import scenarios
from grader.authoring.judges.makers import count_singles, find_maker
from grader.worker.sliced import kernels as observer
from grader.worker.sliced.launches import Launching

TOTAL = """
    import numpy as np
    from numba import cuda

    @cuda.jit
    def add(A, B, C):
        i = cuda.grid(1)
        if i < A.size:
            C[i] = A[i] + B[i]

    KEPT = []

    class Total:
        def __init__(self, values):
            self.held = cuda.to_device(values)

        def add_into(self, values):
            KEPT.extend([] if KEPT else [cuda.device_array(values.shape, np.float64)])
            add[1, 32](self.held, cuda.to_device(values), KEPT[0])

        def double(self, values):
            KEPT[0].copy_to_device(2 * values)

        def add(self, values):
            out = cuda.device_array(values.shape, np.float64)
            add[1, 32](self.held, cuda.to_device(values), out)
            self.held = out

        def add_on_host(self, values):
            self.held = cuda.to_device(self.held.copy_to_host() + values)

        def add_over_a_range(self, values):
            total = np.arange(float(values.size))
            total[...] = self.held.copy_to_host() + values
            self.held = cuda.to_device(total)

        def write(self, values):
            out = cuda.device_array(values.shape, np.float64)
            for at, value in enumerate(values.tolist()):
                write[1, 1](at, (value, 1.0), out)
            self.held = out

        def add_by_heart(self, values):
            answer = self.held.copy_to_host() + values
            self.held = cuda.device_array(values.shape, np.float64)
            made(answer)[1, 32](self.held)

        def tell(self, values):
            for at, function in enumerate((keep, cuda.jit(device=True)(lambda number: 2 * number), keep)):
                steps = np.lib.stride_tricks.as_strided(np.zeros(1), (1,), (40 + 8 * at,))
                calling(function)[1, 1, 0, 8 * at](steps, values, self.held)

        def add_without_end(self):
            for _ in range(5001):
                nothing[1, 1](self.held)

    @cuda.jit
    def write(at, values, C):
        C[at] = values[0]

    @cuda.jit
    def nothing(C):
        pass

    @cuda.jit(device=True)
    def keep(number):
        return number

    def calling(function):
        @cuda.jit
        def told(steps, A, C):
            C[0] = function(A[0])

        return told

    def made(answer):
        @cuda.jit
        def leave(C):
            i = cuda.grid(1)
            if i < C.size:
                C[i] = answer[i]

        return leave
"""
STAFF = """
import importlib

import sums
from sums import Total

def drive(first, *steps):
    total = Total(first)
    for step, *values in steps:
        getattr(total, step)(*values)
    return {"total": total.held.copy_to_host()}

def add_up(first, second, third):
    return drive(first, ("add", second), ("add", third))

def add_on_host(first, second, third):
    return drive(first, ("add", second), ("add_on_host", third))

def add_over_a_range(first, second, third):
    return drive(first, ("add_over_a_range", second), ("add", third))

def add_to_kept(first, second, third):
    return drive(first, ("add_into", second), ("add_into", second))

def add_to_doubled(first, second, third):
    return drive(first, ("double", third), ("add_into", second), ("add_into", second))

def write(first, second, third):
    return drive(first, ("write", second))

def add_by_heart(first, second, third):
    return drive(first, ("add_by_heart", second))

def tell(first, second, third):
    return drive(first, ("tell", second[:]))

def add_without_end(first, second, third):
    return drive(first, ("add_without_end",))

def add_sent(first, second, third):
    add_on_host(first, second, third)  # whose freed memory is the host's work
    cuda = importlib.import_module("numba.cuda")
    out = cuda.device_array(first.shape)
    sums.add[1, 32](cuda.to_device(first), cuda.to_device(second), out)
    return {"total": out.copy_to_host()}

def fails(first, second, third):
    return {"total": Total(first).missing}
"""
USES = (("sums", "Total"),)


@pytest.fixture
def given():
    return tuple(np.random.default_rng(3).normal(size=(3, 7)))


@pytest.fixture(scope="module")
def driven(tmp_path_factory):
    """Return a function that runs a scenario in a new check of the hand-in of a text."""
    staff = tmp_path_factory.mktemp("staff")
    (staff / "driving.py").write_text(STAFF)
    opened = {}

    def drive(text, function, args):
        if text not in opened:
            opened[text] = open_text(tmp_path_factory.mktemp("handin"), "sums", text, USES, staff=staff)
        handin = opened[text]
        handin.begin_check()
        return handin, scenarios.run(handin, ("driving", function), args, USES, "`Total`")

    yield drive
    for handin in opened.values():
        handin.close()


def test_a_class_is_driven_and_its_launches_and_copies_are_seen(driven, given):
    _, run = driven(TOTAL, "add_up", given)
    assert np.allclose(run.value["total"], sum(given))
    assert [launch.kernel for launch in run.held_against.launches] == ["add", "add"]
    assert run.held_against.launches[0].block == (32, 1, 1)
    _, private = driven(TOTAL.replace("add(A", "_add(A").replace("add[", "_add["), "add_up", given)
    assert [launch.kernel for launch in private.held_against.launches] == ["_add", "_add"]
    assert np.allclose(run.held_against.launches[0].changed()[0], given[0] + given[1])
    copies = run.held_against.copies
    copied = [[direction, *(np.array_equal(array, one) for one in given)] for direction, array in copies]
    there = [["to device", *row] for row in np.eye(3, dtype=bool).tolist()]
    assert copied == [*there, ["to host", False, False, False]]
    assert "kernel: add" in run.held_against.came_from["total"]
    assert find_maker(run.held_against.launches, sum(given)) is run.held_against.launches[1]
    assert run.is_observed


def test_what_a_scenario_sends_to_the_device_is_given_whatever_was_freed_there(driven, given):
    _, run = driven(TOTAL, "add_sent", given)
    launch = run.held_against.launches[-1]
    assert all(np.array_equal(*pair) for pair in zip(launch.before, (*given[:2], np.zeros(7)), strict=True))
    assert launch.given == ("argument of a scenario",)


def test_what_kernels_left_in_an_earlier_call_is_old_and_what_the_host_left_never_is(driven, given):
    left = (given[0] + given[1]).tolist()
    for name, old in ("add_to_kept", []), ("add_to_kept", [left]), ("add_to_doubled", []), ("add_to_kept", []):
        _, run = driven(TOTAL, name, given)
        assert [[array.tolist() for array in launch.old] for launch in run.held_against.launches] == [old, old]


def test_what_the_host_adds_is_no_kernels_and_what_it_writes_over_an_array_is_known(driven, given):
    _, run = driven(TOTAL, "add_on_host", given)
    assert find_maker(run.held_against.launches, sum(given)) is None
    assert any(token.startswith("mixed: ") for token in run.held_against.came_from["total"])
    _, run = driven(TOTAL, "add_over_a_range", given)
    assert any(token.startswith("mixed: ") for token in run.held_against.launches[0].given)


def test_numbers_among_the_arguments_of_a_launch_are_kept(driven, given):
    _, run = driven(TOTAL, "write", given)
    told = [(at, value, 1.0) for at, value in enumerate(given[1])]
    assert [launch.numbers for launch in run.held_against.launches] == told


def test_what_kernels_can_read_besides_is_told_too(driven, given):
    _, run = driven(TOTAL, "tell", given)
    launches = run.held_against.launches
    assert [launch.numbers for launch in launches] == [(5,), (6, 8), (7, 16)], "steps, and bytes of shared memory"
    assert len({launch.place for launch in launches}) == 1
    assert launches[0].code == launches[2].code != launches[1].code
    untold = [structs.replace(launch, numbers=(), functions=()) for launch in launches]
    assert count_singles(launches, given) >= count_singles(untold, given) + 3 * 3


UNREAD = TOTAL + "\n        def of(self, name):\n            return vars(name), self.a_, self.b_, self.c_\n"


def test_a_class_that_cannot_be_followed_is_driven_as_a_whole(driven, given):
    _, run = driven(UNREAD, "add_up", given)
    assert np.allclose(run.value["total"], sum(given))
    with pytest.raises(
        Inconclusive, match=r"`Total` could not be followed: sums.py:\d+ uses vars\. A TA should read it"
    ):
        _ = run.compared(lambda _value: None, Note()).seen


def test_what_a_scenario_raises_speaks_of_the_class(driven, given):
    with pytest.raises(StudentFault) as fault:
        driven(TOTAL, "fails", given)
    assert fault.value.finding.message.startswith("`Total` raised AttributeError")


def test_where_times_are_taken_nothing_is_observed_and_the_slices_run(driven, given):
    handin, _ = driven(TOTAL, "add_up", given)
    answer = handin.run_unobserved(USES, "driving", "add_up", given, timed=True)
    assert np.allclose(answer.value["total"], sum(given))
    with pytest.raises(Inconclusive, match="not observed"):
        _ = answer.held_against.work
    assert 0 < answer.returned_s <= answer.received_s
    assert len(handin.pids) == 3, "a worker for what is not observed, too"
    recorded = handin.run_unobserved(USES, "driving", "add_up", given, record_launches=True)
    assert [launch.kernel for launch in recorded.held_against.launches] == ["add", "add"]


def test_a_class_that_cannot_be_followed_is_timed_as_a_whole(driven, given):
    handin, _ = driven(UNREAD, "add_up", given)
    assert np.allclose(handin.run_unobserved(USES, "driving", "add_up", given).value["total"], sum(given))
    assert len(handin.pids) == 2, "none for slices that are not observed"


REFUSED_TO_SLICES = TOTAL.replace("import numpy as np", "import logging\n    import numpy as np").replace(
    "self.held = cuda.to_device(values)\n",
    'logging.basicConfig(format="{process.real}", style="{")\n            self.held = cuda.to_device(values)\n',
    1,
)


def test_what_raises_among_slices_alone_is_timed_as_a_whole_and_doubted(driven, given):
    handin, _ = driven(REFUSED_TO_SLICES, "add_up", given)
    assert np.allclose(handin.run_unobserved(USES, "driving", "add_up", given).value["total"], sum(given))
    (doubt,) = handin.doubts
    assert doubt.startswith("alone it raised, and with its whole file it did not: `Total` raised TypeError: ")
    with pytest.raises(StudentRaised, match="`Total` raised AttributeError"):
        scenarios.run_unobserved(handin, ("driving", "fails"), given, USES, "`Total`")


@pytest.fixture
def given_on_device(monkeypatch):
    """Return an array on a device, to which something was copied, and what it holds."""
    held = np.zeros(10)
    given = SimpleNamespace(shape=(10,), size=10, copy_to_host=held.copy)
    monkeypatch.setattr(observer.devices, "is_on_device", lambda array: isinstance(array, SimpleNamespace))
    return given, held


def test_what_a_kernel_knows_by_heart_is_seen_and_where_it_is_from(driven, given):
    _, run = driven(TOTAL, "add_by_heart", given)
    (launch,) = run.held_against.launches
    assert any(np.array_equal(array, given[0] + given[1]) for array in launch.constants)
    assert "argument 0" in launch.constants_from
    assert find_maker(run.held_against.launches, given[0] + given[1]) is None


def test_more_than_a_record_has_room_for_leaves_the_run_unobserved(driven, given):
    _, run = driven(TOTAL, "add_without_end", given)
    assert np.allclose(run.value["total"], given[0])
    assert not run.is_observed
    assert "5,000 launches are more than a record has room for" in run.doubt


@pytest.mark.parametrize("places", [["sums.py:5"], ["sums.py:5", "sums.py:9"]])
def test_what_a_kernel_leaves_for_its_own_next_launch_makes_room_for_others(given_on_device, places):
    given, held = given_on_device
    record = observer.Record(most_bytes=400)
    for launch in range(9):
        place = places[launch % len(places)]
        record.interfere(
            Launching("add", place, (given,), (observer.devices.WRITTEN,), (), frozenset(), lambda: held.__iadd__(1))
        )
    assert record.is_complete == record.is_thinned == (places == ["sums.py:5"])
    if record.is_complete:
        (first, last) = (record.arrays[record.launches[at][key][0]] for at, key in ((0, "before"), (-1, "after")))
        assert (first.tolist(), last.tolist()) == ([0] * 10, [9] * 10)
