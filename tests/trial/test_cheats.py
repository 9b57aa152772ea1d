"""Changes of a reference, and cheats that are made of one."""

import ast

from groups import one_per_file

from grader.trial.changes import load_changes, make_cheats, replaced


def test_a_change_replaces_in_place_and_adds_below_the_imports_and_commas_may_stand_between_checks(tmp_path):
    source = "import os\n\nA = 1\n\n\n@deco\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    change = '"""Doc.\n"""\n\nimport sys\n\nB = 3\n\n\ndef f():\n    return B\n'
    result = replaced(source, change, {"g"})
    assert [node.name for node in ast.parse(result).body if isinstance(node, ast.FunctionDef)] == ["f"]
    assert "deco" not in result
    assert result.index("import sys") < result.index("B = 3") < result.index("A = 1") < result.index("def f")
    folder = tmp_path / "mistakes/a"
    folder.mkdir(parents=True)
    (folder / "one.py").write_text('"""Two.\n\nfailed: x.y, x.z\nskipped: x.u ,x.v\nflagged: x.w,\n"""\n')
    (tmp_path / "a.py").write_text("A = 1\n")
    (change,) = load_changes(tmp_path.glob("mistakes/*/*.py"), tmp_path)
    assert change.losses() == {"x.y": "failed", "x.z": "failed", "x.u": "skipped", "x.v": "skipped"}
    assert (change.words("flagged"), change.names_of_checks()) == ({"x.w"}, {"x.u", "x.v", "x.w", "x.y", "x.z"})


def test_changes_of_several_files_are_tried_together(tmp_path):
    for name in ("a/one", "a/two", "b/three"):
        path = tmp_path / f"mistakes/{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('"""It hangs.\n\nfailed: x.y\npartly: x.z\nlimit_s: 3\n"""\n\nA = 2\n')
        (tmp_path / f"{path.parent.name}.py").write_text("import os\n\nA = 1\n")
    changes = load_changes(tmp_path.glob("mistakes/*/*.py"), tmp_path)
    assert [[change.name for change in group] for group in one_per_file(changes)] == [["one", "three"], ["two"]]
    assert changes[0].losses() == {"x.y": "failed", "x.z": "partly"}
    assert (changes[0].limit_s, changes[0].sentence) == (3, "It hangs.")
    assert b"A = 2" in changes[0].applied()
    assert b"A = 1" not in changes[0].applied()


SOURCE = """
from numba import cuda, njit

def slow(a, x):
    return [a * v for v in x]

@njit
def fast(a, x):
    return a * x

@cuda.jit(max_registers=32)
def kernel(a, x, out):
    out[0] = a * x[0]

def on_gpu(a, x):
    kernel[1, 1](a, x, x)
    return x
"""
WAYS = {"slow": "python", "fast": "compiled", "on_gpu": "gpu", "kernel": "kernels"}
GRADED = {("one", name): way for name, way in WAYS.items()}


def made(graded=GRADED, source=SOURCE):
    return {cheat.sentence: cheat.applied().decode() for cheat in make_cheats(graded, {"one.py": source})}


def functions(text):
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_each_way_of_working_has_its_cheats_they_are_what_they_say_and_answer_only_in_as_many_arguments():
    of_gpus = ("kernels do nothing", "answered by fast", "answered by fast after empty kernels")
    others = {"slow: compiled by Numba.", "fast: without Numba."}
    assert set(made()) == others | {f"on_gpu: {cheat}." for cheat in of_gpus}
    cheats = made()
    assert functions(cheats["slow: compiled by Numba."])["slow"].startswith("@numba.njit")
    assert functions(cheats["fast: without Numba."])["fast"].startswith("def fast")
    after = functions(cheats["on_gpu: answered by fast after empty kernels."])
    assert after["kernel"] == "@cuda.jit(max_registers=32)\ndef kernel(a, x, out):\n    pass"
    assert after["on_gpu"] == "def on_gpu(a, x):\n    honest_way(a, x)\n    return fast(a, x)"
    assert "kernel[1, 1](a, x, x)" in after["honest_way"]
    graded = {call: way for call, way in GRADED.items() if way in {"gpu", "kernels"}}
    assert set(made(graded)) == {"on_gpu: kernels do nothing."}
    assert "on_gpu: answered by slow." in made(source=SOURCE.replace("def fast(a, x)", "def fast(a, x, n)"))
