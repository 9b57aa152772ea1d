"""Kernels in regions give what they give as coroutines, to the last bit; which kernels are compiled that way."""

import warnings

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from examples import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import cuda, float64

from grader.cuda_cpu.launches import old_values

HEAD = """
def kernel(ints, floats, out, sums, counts, n):
    t = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
    threads = cuda.blockDim.x * cuda.blockDim.y
    block = cuda.blockIdx.x
    i = t + threads * block
    tile = cuda.shared.array(64, float64)
    mine = cuda.local.array((2, 2), float64)
    p = ints[i % 48]
    q = floats[i % 48]
    w = q
    u = n
    c = 0
"""
TAIL = "\n    out[i] = w + mine[0, i % 2] + c\n"
SAME = ["u", "n", "c", "block", "cuda.blockDim.x", "cuda.gridDim.x", "2", "3"]
SAME += ["floats.shape[0]", "len(ints)", "min(u, 5)"]
OWN = ["p", "t", "i", "cuda.threadIdx.x", "cuda.threadIdx.y"]
SIGNS = st.sampled_from(["<", ">=", "==", "!="])


def pick(*texts):
    return st.sampled_from(texts)


def integers_of(leaves):
    """Return texts of whole numbers that stay small."""
    pairs = st.tuples(pick(*leaves), pick("+", "-", "*"), pick(*leaves))
    return st.one_of(pick(*leaves), pairs.map(lambda e: f"({' '.join(e)}) % 7"))


same = integers_of(SAME)
own = integers_of([*SAME, *OWN])
numbers = st.one_of(own, pick("w", "q", "0.1", "w * 0.5", "q - w", "tile[(t + u) % threads]", "mine[1, t % 2]"))
same_conditions = st.tuples(same, SIGNS, same).map(" ".join)
own_conditions = st.tuples(numbers, SIGNS, numbers).map(" ".join)
PLAIN = st.one_of(
    numbers.map("w = {}".format),
    numbers.map("w += {} * 0.3".format),
    same.map("u = {}".format),
    own.map("c = {}".format),
    own.map("tile[abs({}) % threads] = w".format),
    own.map("w -= tile[abs({}) % threads]".format),
    own.map("mine[0, abs({}) % 2] += w".format),
    own.map("cuda.atomic.add(sums, abs({}) % 5, w)".format),
    own.map("w += cuda.atomic.max(counts, abs({}) % 3, t)".format),
    own.map("w = helper(w, abs({}) % 3)".format),
    pick("w = out[(i + 1) % out.size]", "out[i] = w", "n, u = u, n", "p, t = t % 5, t"),
)
BARRIERS = st.one_of(
    st.just("cuda.syncthreads()"),
    own_conditions.map("c = cuda.syncthreads_count({})".format),
    own_conditions.map("c = cuda.syncthreads_or({})".format),
    own_conditions.map("w += cuda.syncthreads_and({})".format),
)
RARE = st.one_of(
    same_conditions.map("if {}:\n    return".format),
    own_conditions.map("if {}:\n    return".format),
    own.map("out[{}] = w".format),
    own.map("for j in range(0, 4, abs({}) % 3):\n    w += j".format),
)


def indent(text):
    return "\n".join("    " + line for line in text.splitlines())


def blocks_of(statements, most=3):
    return st.lists(statements, min_size=1, max_size=most).map("\n".join)


def compound(inner, conditions, bounds, extra):
    """Return statements with blocks: branches and loops; `extra` may leave or go on with a loop."""
    body = blocks_of(inner).map(indent)
    left = st.tuples(body, conditions, extra).map(lambda e: f"{e[0]}\n    if {e[1]}:\n        {e[2]}\n    w += 1")
    return st.one_of(
        st.tuples(conditions, body).map(lambda e: f"if {e[0]}:\n{e[1]}"),
        st.tuples(conditions, body, body).map(lambda e: f"if {e[0]}:\n{e[1]}\nelse:\n{e[2]}"),
        st.tuples(bounds, body).map(lambda e: f"for k in range(abs({e[0]}) % 4):\n{e[1]}"),
        st.tuples(bounds, left).map(lambda e: f"for k in range(abs({e[0]}) % 4):\n{e[1]}"),
        st.tuples(pick("1", "2", "3"), body).map(lambda e: f"h = {e[0]}\nwhile h > 0:\n{e[1]}\n    h -= 1"),
    )


jumps = pick("break", "continue", "return")
apart = st.recursive(PLAIN, lambda inner: compound(inner, own_conditions, own, jumps), max_leaves=4)
FIRST = pick("if cuda.threadIdx.x < {}:", "if {} >= cuda.threadIdx.x:", "if cuda.threadIdx.x == 0:")
BARRIER = "cuda.syncthreads()"
led = st.tuples(FIRST, same, apart).map(lambda e: f"{BARRIER}\n{e[0].format(e[1])}\n{indent(e[2])}\n{BARRIER}")
leaves = st.one_of(PLAIN, BARRIERS, apart, led)
together = st.recursive(leaves, lambda inner: compound(inner, same_conditions, same, jumps), max_leaves=8)
bodies = st.lists(st.one_of(together, together, together, BARRIERS, RARE), min_size=2, max_size=6).map("\n".join)
kernels = bodies.map(lambda body: HEAD + indent(body) + TAIL)
launches = st.sampled_from([(1, 1), (2, (5, 3)), (3, 37), (2, (8, 8))])


def helper(w, k):
    """Keep something in a local array of a device function."""
    own = cuda.local.array(3, float64)
    own[k] += w
    return own[0] - own[1] + own[2]


def run(source, launch, old=0, **options):
    """Return what a launch leaves in the arrays, its error and its warnings; and the kernel."""
    generator = np.random.default_rng(5)
    arrays = [
        generator.integers(-20, 20, 48),
        generator.integers(-40, 40, 48) / 7,
        np.zeros(launch[0] * int(np.prod(launch[1]))),
        np.zeros(5),
        np.zeros(3, np.int64),
    ]
    namespace = {"cuda": cuda, "float64": float64, "helper": cuda.jit(device=True)(helper)}
    exec(source, namespace)
    kernel = cuda.jit(**options)(namespace["kernel"])
    error = ""
    with warnings.catch_warnings(record=True) as said, old_values(old):
        warnings.simplefilter("always")
        try:
            kernel[launch](*arrays, 2)
        except Exception as raised:  # noqa: BLE001 - whatever it is, it has to be the same both times
            error = repr(raised)
    alike = [np.where(np.isnan(array), np.nan, array).tobytes() for array in arrays]  # whatever NaN it is
    return [*alike, error, sorted(str(one.message) for one in said)], kernel


def compare(source, launch, old):
    as_coroutines, _ = run(source, launch, old, coroutines=True)
    in_regions, _ = run(source, launch, old, coroutines=False)
    assert in_regions == as_coroutines, source


@pytest.mark.parametrize(
    "tries",
    [
        {"max_examples": 10, "derandomize": True},
        pytest.param({"max_examples": examples(2000)}, marks=[pytest.mark.slow, pytest.mark.timeout(3600)]),
    ],
    ids=["the same few", "two thousand"],
)
def test_kernels_in_regions_give_what_coroutines_give(tries):
    drawn = given(kernels, launches, st.sampled_from([0, 0, 3]))(compare)
    settings(deadline=None, suppress_health_check=list(HealthCheck), **tries)(drawn)()


def is_in_regions(kernel):
    return all(compiled.in_regions for compiled in kernel.overloads.values())


@cuda.jit(device=True)
def wait_and_add(x):
    cuda.syncthreads()
    return x + 1


@cuda.jit(device=True, inline="always")
def wait_in_line(x):
    cuda.syncthreads()
    return x + 1


@cuda.jit(device=True)
def own_array(x):
    own = cuda.local.array(2, float64)
    own[0] = x
    return own, x


SYNC = "cuda.syncthreads()"
IN_REGIONS = {
    "a loop of as many rounds as an argument says": f"for k in range(n):\n    {SYNC}",
    "a loop of as many rounds as the array is long": f"for k in range(x.shape[0]):\n    {SYNC}",
    "halves of the block": f"half = cuda.blockDim.x // 2\nwhile half:\n    {SYNC}\n    half //= 2",
    "a block that has nothing to do": f"if cuda.blockIdx.x > n:\n    return\n{SYNC}",
    "until a barrier says no": "k = 0\nwhile cuda.syncthreads_or(k < n):\n    k += 1\nx[0] = k",
    "a loop whose range is not the block's between barriers": f"{SYNC}\nfor k in range(t):\n    x[t] += k\n{SYNC}",
    "a return behind the last barrier": f"{SYNC}\nif t > 2:\n    return\nx[t] = 1",
    "a device function that is put in line": "x[t] = wait_in_line(t)",
}
AS_COROUTINES = {
    "a number that was loaded": f"if x[0] > 0:\n    {SYNC}",
    "a loop of the thread's own": f"for k in range(t):\n    pass\n    {SYNC}",
    "a return that threads take apart": f"if t > n:\n    return\n{SYNC}",
    "a loop that threads leave apart": f"for k in range(n):\n    if t > k:\n        break\n    {SYNC}",
    "an exception that a thread may raise": f"assert t < 1000\n{SYNC}",
    "a number that threads change apart": f"if t > 2:\n    n += 1\nif n > 1:\n    {SYNC}",
    "a barrier in a device function": f"{SYNC}\nx[t] = wait_and_add(t)",
    "an operation of the warp": f"{SYNC}\nx[t] = cuda.shfl_sync(-1, t, 0)",
    "a barrier of the grid": f"{SYNC}\ncuda.cg.this_grid().sync()",
    "an array of a device function's own": f"own = own_array(1.0)\n{SYNC}\nx[t] = own[0][0]",
    "an array that is shared in a loop": f"for k in range(n):\n    a = cuda.shared.array(2, float64)\n    {SYNC}",
    "an iterator over an array": f"for value in x:\n    {SYNC}",
}


@pytest.mark.parametrize("case", [*IN_REGIONS, *AS_COROUTINES])
def test_a_kernel_is_in_regions_where_its_threads_come_to_the_same_barriers(case):
    names = {"wait_and_add": wait_and_add, "wait_in_line": wait_in_line, "own_array": own_array, "float64": float64}
    body = (IN_REGIONS | AS_COROUTINES)[case]
    kernel = kernel_of("x, n", f"t = cuda.threadIdx.x\n{body}", names=names, coroutines=False)
    kernel.compile("void(float64[:], int64)")
    assert is_in_regions(kernel) == (case in IN_REGIONS)


@pytest.mark.parametrize("options", [{"debug": True, "opt": False}, {"fastmath": True}], ids=str)
def test_options_that_change_results_keep_coroutines(options):
    kernel = kernel_of("x", SYNC, coroutines=False, **options)
    kernel.compile("void(float64[:])")
    assert not is_in_regions(kernel)


def test_a_fault_in_a_region_names_its_thread():
    kernel = kernel_of("x, n", f"{SYNC}\nx[cuda.threadIdx.x + 10 * cuda.threadIdx.y + n] = 1", coroutines=False)
    with pytest.raises(IndexError, match=r"index 13 .* in block \(0, 0, 0\), thread \(1, 1, 0\)"):
        kernel[1, (2, 2)](np.zeros(13), 2)


@pytest.mark.parametrize("between", ["", "\nif n > 1:\n    cuda.syncthreads()"], ids=["nothing", "a barrier or none"])
def test_what_a_barrier_returns_outlives_further_barriers_in_small_and_large_launches(between):
    body = f"c = cuda.syncthreads_count(n < 3)\n{SYNC}{between}\n{SYNC}\nx[cuda.threadIdx.x] = c + K"
    kernel = kernel_of("x, n", body, names={"K": 0})
    for size in (4, 2**19):  # whose code is made soon, and whose code is fast
        kernel[1, 4](found := np.zeros(size), 2)
        assert (is_in_regions(kernel), *found[:4]) == (size > 4, 4.0, 4.0, 4.0, 4.0)
        kernel.py_func.__globals__["K"] = "another"  # a GPU's code knows it as it was


@pytest.mark.parametrize("held", [1.0])
def test_a_kernel_keeps_what_its_closure_held_when_it_was_compiled(held):
    @cuda.jit
    def kernel(x):
        cuda.syncthreads()
        x[cuda.threadIdx.x] = held

    kernel[1, 4](np.zeros(4))
    held = 2.0
    kernel[1, 4](found := np.zeros(2**19))
    assert found[3] == 1.0
