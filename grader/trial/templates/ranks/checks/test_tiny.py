from grader.authoring import check, expect, fail
from grader.authoring.judges import ranks

USES = [("tiny", "sum_of_all")]


def add_up(student, rng, note, size, owner=""):
    arrays = [rng.uniform(size=100) for _ in range(size)]
    run = ranks.run(student, size, ("sum_scenarios", "add_up"), (arrays,), USES, "`sum_of_all`", note=note)

    def compare(values):
        for rank, value in enumerate(values):
            expect(f"`sum_of_all` on rank {rank} of {size}", value["sum"], sum(arrays), rtol=1e-9)

    return run.compared(compare, note, owner)


@check("sum.values")
def test_sum_values(student, rng, note):
    """`sum_of_all(comm, values)` returns the sum of all ranks' arrays on every rank."""
    for size in (1, 2, 4):
        add_up(student, rng, note, size)


@check("sum.messages")
def test_sum_messages(student, rng, note):
    """`sum_of_all` sends messages to one neighbour, and uses no collective call of MPI."""
    calls = add_up(student, rng, note, 4, owner="sum.values").seen.calls
    for rank in range(4):
        if any(calls.size_bytes[at] for at in calls.select(rank=rank, kind="collective")):
            fail("`sum_of_all` leaves the sum to a collective call of MPI.", hint="Use Sendrecv.")
        receivers = {int(calls.peer[at]) for at in calls.select(rank=rank, kind="send")}
        if len(receivers) != 1:
            fail(f"Rank {rank} of 4 sends to ranks {sorted(receivers)}.", expected="to one neighbour")
