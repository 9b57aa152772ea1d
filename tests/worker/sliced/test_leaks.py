"""Single numbers that are read out of what NumPy made of whole arrays are counted, however they are read."""

import pytest

ENTRIES = 144

READ = {
    "by two indices": "C = [[M[i, j] for j in range(12)] for i in range(12)]",
    "by one index after the other": "C = [[M[i][j] for j in range(12)] for i in range(12)]",
    "through a row": "C = [x for i in range(12) for row in [M[i]] for x in row]",
    "through a view": "V = M.reshape(-1)\nC = [V[k] for k in range(144)]",
    "by iterating": "C = [x for row in M for x in row]",
    "by list": "C = [x for row in list(M) for x in list(row)]",
    "by flat": "C = list(M.flat)",
    "by an index of flat": "C = [M.flat[k] for k in range(144)]",
    "by tolist": "C = M.tolist()",
    "by itemgetter": "C = [operator.itemgetter((i, j))(M) for i in range(12) for j in range(12)]",
    "by operator.getitem": "C = [operator.getitem(M, (i, j)) for i in range(12) for j in range(12)]",
    "by map": "C = [float(x) for x in map(float, M.ravel())]",
    "by sorted": "C = [x for row in M for x in sorted(row)]",
    "by chain": "C = list(itertools.chain.from_iterable(M))",
    "by unpacking": "C = [x for row in M for x in [*row]]",
    "by zip": "C = [x for rows in zip(*M) for x in rows]",
    "as other numbers": "C = [x for row in M.astype(float) for x in row]",
    "of a copy": "C = [x for row in M.copy() for x in row]",
    "of a list of rows": "C = [x for row in [row + 1 for row in M] for x in row]",
}


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_numbers_read_out_of_a_mix_are_leaks(run, body):
    seen = run(f"M = np.maximum(A, B)\n{body}").seen
    assert seen.leaks >= ENTRIES
    assert seen.reads >= ENTRIES


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_numbers_read_out_of_arguments_are_none(run, body):
    seen = run(f"M = A\n{body}").seen
    assert seen.leaks == 0
    assert seen.reads >= ENTRIES


def test_one_number_of_a_reduction_is_one_leak(run):
    assert run("C = A.max()").seen.leaks == 1


def test_a_truth_about_all_entries_is_none(run):
    assert run("C = (A > B).any()").seen.leaks == 0


def test_a_mixed_number_that_is_written_on_is_a_leak(run):
    lines = "M = np.maximum(A, B)\nC = np.zeros(A.shape)\nfor i in range(12):\n    for j in range(12):\n"
    seen = run(f"{lines}        C[i, j] = M[i, j]").seen
    assert seen.leaks == ENTRIES
    assert "elements" in seen.label


def test_item_counts_as_a_leak(run):
    assert run("M = np.maximum(A, B)\nC = [M.item(i, j) for i in range(12) for j in range(12)]").seen.leaks == ENTRIES
