"""Cheats that are made of a reference."""

import ast

from grader.trial.cheats import make_cheats

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


def made(graded=GRADED):
    return {cheat.sentence: cheat.applied().decode() for cheat in make_cheats(graded, {"one.py": SOURCE})}


def functions(text):
    return {node.name: ast.unparse(node) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_each_way_of_working_has_its_cheats():
    of_gpus = ("kernels do nothing", "answered by fast", "answered by fast after empty kernels")
    others = {"slow: compiled by Numba.", "fast: without Numba."}
    assert set(made()) == others | {f"on_gpu: {cheat}." for cheat in of_gpus}


def test_they_are_what_they_say():
    cheats = made()
    assert functions(cheats["slow: compiled by Numba."])["slow"].startswith("@numba.njit")
    assert functions(cheats["fast: without Numba."])["fast"].startswith("def fast")
    after = functions(cheats["on_gpu: answered by fast after empty kernels."])
    assert after["kernel"] == "@cuda.jit(max_registers=32)\ndef kernel(a, x, out):\n    pass"
    assert after["on_gpu"] == "def on_gpu(a, x):\n    honest_way(a, x)\n    return fast(a, x)"
    assert "kernel[1, 1](a, x, x)" in after["honest_way"]


def test_without_a_function_of_as_many_arguments_nobody_answers_instead():
    graded = {call: way for call, way in GRADED.items() if way in {"gpu", "kernels"}}
    assert set(made(graded)) == {"on_gpu: kernels do nothing."}
