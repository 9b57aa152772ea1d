"""The rules of the sheet by reading: right homework is left alone, cheats are shown with file and line."""

import importlib.util
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model import Finding
from grader.source_rules import (
    MAX_SOURCE_BYTES,
    Source,
    delays,
    find_function,
    library_work,
    loop_depth,
    njit_missing,
    read_function,
    read_source,
)


def load(name):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "sources" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


legitimate, legitimate_max, cheats = load("legitimate"), load("legitimate_max"), load("cheats")


def source(text):
    found = read_source("hw.py", text.encode())
    assert isinstance(found, Source)
    return found


def every(cases):
    return pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in cases.items()])


def test_the_collections_are_large_enough_to_mean_something():
    right = [legitimate_max.MAX, legitimate.GPU, legitimate.MATMUL, legitimate.NJIT]
    assert sum(map(len, right)) >= 50
    assert len(cheats.CERTAIN) >= 50


@every(legitimate_max.MAX)
def test_a_plain_maximum_is_left_alone(case):
    text = source(case)
    assert library_work(text, "max_cpu") == ()
    assert delays(text, "max_cpu") == ()


@every({name: case for name, case in legitimate_max.MAX.items() if name not in {"flat loop", "the largest so far"}})
def test_a_plain_maximum_has_two_loops(case):
    assert loop_depth(source(case), "max_cpu") == 2


@every(legitimate.GPU)
def test_work_on_the_gpu_is_left_alone(case):
    text = source(case)
    assert library_work(text, "max_gpu") == ()
    assert delays(text, "max_gpu") == ()


@every(legitimate.MATMUL)
def test_a_trivial_product_is_left_alone_and_has_three_loops(case):
    text = source(case)
    assert library_work(text, "matmul_transpose_trivial") == ()
    assert delays(text, "matmul_transpose_trivial") == ()
    assert loop_depth(text, "matmul_transpose_trivial") == 3


@every(legitimate.NJIT)
def test_njit_is_recognised_in_every_form(case):
    text = source(case)
    assert njit_missing(text, "max_numba") == ()
    assert library_work(text, "max_numba") == ()


@every(cheats.CERTAIN)
def test_a_library_doing_the_work_is_certain_and_located(case):
    function, text = case
    certain = [remark for remark in library_work(source(text), function) if remark.certain]
    assert certain
    line = int(re.fullmatch(r"hw\.py:(\d+)", certain[0].finding.location).group(1))
    assert certain[0].finding.got == text.splitlines()[line - 1].strip()


@every(cheats.SUSPICIOUS)
def test_what_cannot_be_read_is_suspicious_and_not_certain(case):
    function, text = case
    remarks = library_work(source(text), function)
    assert remarks
    assert not any(remark.certain for remark in remarks)


@every(cheats.DELAYS_CERTAIN)
def test_a_delay_is_certain(case):
    assert any(remark.certain for remark in delays(source(case), "max_cpu"))


@every(cheats.DELAYS_SUSPICIOUS)
def test_a_possible_delay_is_suspicious(case):
    remarks = delays(source(case), "max_cpu")
    assert remarks
    assert not any(remark.certain for remark in remarks)


@every(cheats.NOT_NJIT_CERTAIN)
def test_a_function_that_is_not_compiled_is_certain(case):
    assert [remark.certain for remark in njit_missing(source(case), "max_numba")] == [True]


@every(cheats.NOT_NJIT_SUSPICIOUS)
def test_doubtful_compilation_is_suspicious(case):
    remarks = njit_missing(source(case), "max_numba")
    assert remarks
    assert not any(remark.certain for remark in remarks)


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        ("return X", 0),
        ("for i in X: pass", 1),
        ("for i in range(1):\n        for j in X: pass", 1),
        ("return [[0 for j in X] for i in X]", 2),
        ("return [0 for i in X for j in X for k in X]", 3),
        ("while X:\n        for j in X: pass", 2),
        ("for i in X: pass\n    for j in X: pass", 1),
        ("return f(X.shape[0])\ndef f(n):\n    return 0 if n == 0 else f(n - 1)", 1),
    ],
)
def test_loops_are_counted_as_deep_as_they_stand(body, depth):
    assert loop_depth(source(f"def g(X):\n    {body}\n"), "g") == depth


@pytest.mark.parametrize(
    ("expression", "is_whole"),
    [
        ("X", True),
        ("X.T", True),
        ("X[0]", True),
        ("X[:, 0]", True),
        ("X[..., 0]", True),
        ("X[0, None]", True),
        ("X[0][:3]", True),
        ("X[[0, 1], [0, 1]]", True),
        ("X.astype(float)", True),
        ("X.reshape(-1)", True),
        ("np.asarray(X)", True),
        ("[row for row in X][0]", True),
        ("list(X)[0]", True),
        ("next(iter(X))", True),
        ("X[0, 0]", False),
        ("X[0][0]", False),
        ("X.flat[0]", False),
        ("X.ravel()[3]", False),
        ("X.T[0, 1]", False),
        ("X[(0, 1)]", False),
        ("X.shape[0]", False),
        ("X.size", False),
        ("len(X)", False),
        ("X.item(0, 0)", False),
        ("X.tolist()[0][0]", False),
        ("next(iter(X[0]))", False),
        ("float(X[0, 0])", False),
        ("np.zeros((3, 3))", False),
        ("math.sqrt(X[0, 0])", False),
        ("np.ceil(X.size / 2)", False),
        ("something_unknown(3)", False),
    ],
)
def test_only_arithmetic_on_whole_arrays_is_noticed(expression, is_whole):
    text = source(f"import math\nimport numpy as np\ndef f(X):\n    return {expression} * 2\n")
    assert bool(library_work(text, "f")) == is_whole


def test_code_that_is_never_reached_is_not_held_against_a_function():
    unused = "import numpy as np\ndef unused(A):\n    return np.max(A)\n"
    text = f"{unused}def max_cpu(A, B):\n    if False:\n        np.max(A)\n    return A\n"
    assert library_work(source(text), "max_cpu") == ()


def test_find_function_returns_the_last_definition():
    tree = source("def f(): return 1\ndef f(): return 2\n").tree
    assert find_function(tree, "f").lineno == 2
    assert find_function(tree, "g") is None


@pytest.mark.parametrize(
    ("data", "fragment"),
    [
        (b"def f(:\n    pass\n", "not valid Python"),
        (b"x = 1\n\x00\n", "null bytes"),
        (b"# coding: no-such-coding\nx = 1\n", "unknown encoding"),
        (b"x = '\xff\xfe'\n", "hw.py is no"),
        (b"# coding: hex\n00\n", "hw.py is no"),
        (b"x = " + b"(" * 5000 + b")" * 5000, "hw.py is n"),
        (b"x = " + b"-" * 200_000 + b"1", "hw.py is n"),
        (b"x = " + b"1+" * 120_000 + b"1", "hw.py is n"),
        (b"x = 1\n" * (MAX_SOURCE_BYTES // 6 + 1), "too long"),
        (b"x = " + b"9" * 10_000, "not valid Python"),
        (b"\tx = 1\n  y = 2\n", "not valid Python"),
        (b"print 'hello'\n", "not valid Python"),
    ],
)
def test_a_file_that_cannot_be_read_gives_one_finding(data, fragment):
    finding = read_source("hw.py", data)
    assert isinstance(finding, Finding)
    assert fragment in finding.message
    assert len(finding.message + finding.got) < 600


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xef\xbb\xbfx = 1\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"# coding: latin-1\nx = '\xe9'\n",
        b"# coding: cp1255\nx = '\xf9\xec\xe5\xed'\n",
        b"x = '\\d'\n",
    ],
)
def test_a_file_in_an_unusual_form_is_read(data):
    assert isinstance(read_source("hw.py", data), Source)


def test_code_that_branches_without_end_is_suspicious_and_not_followed_for_ever():
    functions = "\n".join(
        f"def f{n}(A, x):\n    for i in A:\n        x = [x, f{n + 1}(A, x), f{n + 1}(x, A)]\n    return x"
        for n in range(30)
    )
    text = source(f"{functions}\ndef f30(A, x):\n    return x\ndef max_cpu(A, B):\n    return f0(A, B)\n")
    assert not any(remark.certain for remark in read_function(text, "max_cpu").remarks)


@pytest.mark.parametrize(
    "hostile",
    [
        "\n".join(f"    x = ({'x, ' * 60})" for _ in range(20)),
        "\n".join(f"    x{n} = 1\n    if x{n}: pass" for n in range(4000)),
        "\n".join(f"    for i in range(9): x{n} = i" for n in range(4000)),
        "\n".join(f"{'  ' * n}  for i in range(9):" for n in range(1, 40)) + "\n" + "  " * 41 + "x = i",
        "    x = [x" + ".append" * 700 + "]",
        "    f = lambda *a: f(a, a, a)\n    f(f(f, f), f(f, f))",
    ],
    ids=["tuples", "branches", "loops", "nested loops", "attributes", "recursion"],
)
def test_a_hostile_file_is_read_in_bounded_time(hostile):
    text = source(f"def max_cpu(A, B):\n    x = A\n{hostile}\n    return A\n")
    assert not any(remark.certain for remark in library_work(text, "max_cpu"))


def test_a_deep_expression_is_suspicious_and_not_an_exception():
    text = source("def max_cpu(A, B):\n    return " + "+".join(["1"] * 900) + "\n")
    assert not any(remark.certain for remark in library_work(text, "max_cpu"))


@given(st.binary(max_size=200))
def test_any_bytes_are_a_source_or_a_finding(data):
    assert isinstance(read_source("hw.py", data), Source | Finding)


ALL = [*legitimate_max.MAX.values(), *legitimate.GPU.values(), *[text for _, text in cheats.CERTAIN.values()]]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ALL), st.sampled_from(ALL), st.integers(0, 30), st.integers(0, 30))
def test_mixed_up_lines_are_read_without_an_exception(first, second, cut, start):
    text = "\n".join([*first.splitlines()[:cut], *second.splitlines()[start:]])
    found = read_source("hw.py", text.encode())
    if isinstance(found, Source):
        for name in ("max_cpu", "max_gpu", "matmul_transpose_trivial"):
            read_function(found, name)
            njit_missing(found, name)
