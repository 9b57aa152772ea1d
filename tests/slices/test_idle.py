"""Work in loops that nothing depends on is found by reading; work that something may depend on is not."""

import ast
import textwrap

from rows import each

from grader.slices.idle import find_idle_line

IDLE = (
    *("sum(range(100))", "x = sum(range(100))", "numbers = [0] * 1000"),
    *("numbers = list(range(9))\nfor number in numbers:\n    last = number", "[k for k in range(9)]"),
    *("k = 0\nwhile k < 10:\n    k += 1", "k = 0\nwhile True:\n    k += 1\n    if k > 10:\n        break"),
    *("for _ in range(9):\n    pass", "text = 'x' * 1000", "x = sorted([3, 2, 1])", "list(map(str, range(9)))"),
    *("functools.reduce(lambda a, b: a + b, range(9))", "pow(3, 999)"),
)
USED = {
    "the choice": "C[i, j] = max(A[i, j], B[i, j])",
    "a list that is chosen from": "pair = sorted([A[i, j], B[i, j]])\nC[i, j] = pair[1]",
    "a loop over a pair": "most = 0\nfor M in (A, B):\n    most = M[i, j] if M[i, j] > most else most\nC[i, j] = most",
    "an unused number": "a = int(A[i, j])",
    "a counter": "seen += 1",
    "an append": "row.append(max(A[i, j], B[i, j]))",
    "a mapped method": "list(map(row.append, (A[i, j],)))",
    "a check": "assert all([A[i, j] >= 0, B[i, j] >= 0])",
    "a check that raises": "if any([A[i, j] < 0]):\n    raise ValueError",
    "a loop that ends": "if all([A[i, j] == 0]):\n    break",
    "a field": "for k in range(2):\n    C.last = A[i, k]",
    "a helper": "for k in range(2):\n    helper(k)",
    "a message": "print(list(range(3)))",
    "a variable of outside": "global total\ntotal = sum(range(3))",
    "a while over the entries": "k = 0\nwhile k < 2:\n    C[i, k] = A[i, k]\n    k += 1",
    "a list that another one holds": "entries = C[i]\nfor M in (A, B):\n    entries += [M[i, j]]",
    "a list that another one yields": "for entries in C:\n    entries += [k for k in A[i]]",
    "a lazy helper": "made = (helper(k) for k in A)\nfor _ in made:\n    pass",
}
OF_ITS_OWN = {
    "work outside of loops": "def f(A):\n    x = [0] * 9\n    return A\n",
    "a method of the name of a built-in": """
class Matrix:
    def set(self, i, j, value):
        self.rows[i][j] = value


def f(A, B):
    C = Matrix()
    for i in range(9):
        for j in range(9):
            C.set(i, j, max(A[i, j], B[i, j]))
    return C.rows
""",
    "a function of the name of a built-in": """
def map(first, second):
    C.append(max(first, second))


def f(A, B):
    for i in range(9):
        for j in range(9):
            map(A[i, j], B[i, j])
    return C
""",
    "a helper that counts for the function around it": """
def f(A, B):
    total = 0

    def count(row):
        nonlocal total
        for entry in row:
            total = sum([entry, 1])

    for row in A:
        count(row)
    return total
""",
    "a generator that writes": """
def write_rows(A, B, C):
    for i in range(9):
        for j in range(9):
            C[i, j] = max(A[i, j], B[i, j])
        yield i


def f(A, B):
    C = A.copy()
    rows = write_rows(A, B, C)
    for _ in rows:
        pass
    return C
""",
}
LOOPS = """
def f(A, B):
    for i in range(len(A)):
        for j in range(len(B)):
            C[i, j] = A[i, j]
%s
    return C, row, seen
"""


def line_of(body):
    return find_idle_line(ast.parse(LOOPS % textwrap.indent(body, 12 * " ")).body)


@each("body", [*IDLE, *USED.values()])
def test_work_that_nothing_depends_on_is_found_and_other_work_is_not(body):
    assert line_of(body) >= 6 if body in IDLE else line_of(body) == 0


@each("text", OF_ITS_OWN)
def test_what_the_hand_in_defines_itself_may_leave_a_trace(text):
    assert find_idle_line(ast.parse(text).body) == 0
