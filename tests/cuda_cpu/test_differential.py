"""Generated kernels and launches must give what numba's own simulator gives."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import cuda, float64

pytestmark = pytest.mark.wide

ELEMENTS = 48
TEMPLATE = """
def kernel(ints, floats, out, counts):
    x, y = cuda.grid(2)
    t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
    block = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y
    threads = cuda.blockDim.x * cuda.blockDim.y
    i = t + threads * block
    k = 0
    tile = cuda.shared.array(64, float64)
    mine = cuda.local.array(4, float64)
    for n in range(4):
        mine[n] = n
    p = ints[i % {elements}]
    q = floats[i % {elements}]
    v = {first}
    tile[t] = v
    cuda.syncthreads()
    w = tile[(t + {shift}) % threads]
    for k in range({rounds}):
        w = {step}
        mine[k % 4] += w
        cuda.syncthreads()
        tile[t] = w
        cuda.syncthreads()
        w += tile[(t * 3 + k) % threads]
        if w > 1000 or w < -1000:
            w = w / 1000
    if {condition}:
        cuda.atomic.add(counts, (p + i) % 5, 1)
        cuda.atomic.max(counts, 5, t)
    else:
        w = {other}
    if i < out.size:
        out[i] = w + mine[i % 4]
"""
LEAVES = ["p", "q", "i", "t", "x", "y", "k", "2", "3", "0.5", "-1", "cuda.blockDim.x", "cuda.gridDim.y", "mine[2]"]


def combine(parts):
    divisors = st.sampled_from(["3", "7", "2.5", "-4"])
    binary = st.tuples(parts, st.sampled_from(["+", "-", "*"]), parts).map(lambda e: f"({' '.join(e)})")
    divided = st.tuples(parts, st.sampled_from(["/", "//", "%"]), divisors).map(lambda e: f"({' '.join(e)})")
    called = st.tuples(st.sampled_from(["min", "max"]), parts, parts).map(lambda e: f"{e[0]}({e[1]}, {e[2]})")
    unary = st.tuples(st.sampled_from(["-", "abs"]), parts).map(lambda e: f"{e[0]}({e[1]})")
    return st.one_of(binary, divided, called, unary)


expressions = st.recursive(st.sampled_from(LEAVES), combine, max_leaves=6)
steps = st.recursive(st.sampled_from([*LEAVES, "w", "v"]), combine, max_leaves=5)
conditions = st.tuples(steps, st.sampled_from(["<", ">=", "==", "!="]), steps).map(" ".join)
kernels = st.fixed_dictionaries(
    {
        "first": expressions,
        "shift": st.integers(0, 63),
        "rounds": st.integers(0, 3),
        "step": steps,
        "condition": conditions,
        "other": steps,
    }
).map(lambda parts: TEMPLATE.format(elements=ELEMENTS, **parts))
launches = st.sampled_from([((1, 1), (1, 1)), ((2, 1), (5, 3)), ((3, 2), (7, 2)), ((1, 1), (8, 8)), ((2, 2), (33, 1))])


@pytest.fixture(scope="module")
def simulate():
    command = [sys.executable, "-W", "ignore", str(Path(__file__).with_name("simulator_server.py"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask(source, launch, arrays):
            described = [(array.dtype.name, array.tolist()) for array in arrays]
            request = {"source": source, "grid": launch[0], "block": launch[1], "arrays": described}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer, "the simulator died"
            return [np.array(values, array.dtype) for values, array in zip(json.loads(answer), arrays, strict=True)]

        yield ask
        process.stdin.close()


def compare(simulate, source, launch):
    generator = np.random.default_rng(5)
    arrays = [
        generator.integers(-20, 20, ELEMENTS),
        generator.integers(-40, 40, ELEMENTS) / 4,
        np.zeros(launch[0][0] * launch[0][1] * launch[1][0] * launch[1][1]),
        np.zeros(6, np.int64),
    ]
    expected = simulate(source, launch, arrays)
    namespace = {"cuda": cuda, "float64": float64, "np": np}
    exec(source, namespace)
    cuda.jit(namespace["kernel"])[launch](*arrays)
    for ours, theirs in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9, err_msg=source)


FEW, MANY = {"max_examples": 5, "derandomize": True}, {"max_examples": examples(120)}


@pytest.mark.parametrize("tries", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["a few", "many"])
def test_generated_kernels_give_what_the_simulator_gives(simulate, tries):
    drawn = given(kernels, launches)(lambda source, launch: compare(simulate, source, launch))
    settings(deadline=None, suppress_health_check=list(HealthCheck), **tries)(drawn)()
