import numpy as np
from numba import cuda, float32

from grader.cuda_cpu import counting
from grader.cuda_cpu.tracing.explanations import describe_costs


@cuda.jit
def good(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@cuda.jit
def bad(x, y):
    tile = cuda.shared.array((32, 32), float32)
    i = cuda.threadIdx.x
    tile[i, 0] = x[i, 0]
    cuda.syncthreads()
    if i % 2:
        cuda.atomic.add(y, 0, tile[i, 0])


def explain(kernel, grid, block, *arguments):
    with counting() as record:
        kernel[grid, block](*arguments)
    return describe_costs(record.launches[0])


def test_a_perfect_kernel_is_told_so():
    sentences = explain(good, 2, 64, np.zeros(128), np.zeros(128))
    assert sentences[0] == "Counted, not timed: kernel good ran 2 blocks of 64 threads, 4 warps in all"
    assert "Every warp's loads of x (line 12) touch 2 lines of 128 bytes, the least possible" in sentences
    assert "Every warp's stores to y (line 12) touch 2 lines of 128 bytes, the least possible" in sentences
    assert "No warp splits at a branch: all its threads always take the same direction" in sentences


def test_idle_threads_and_a_split_warp_are_named():
    sentences = explain(good, 1, 64, np.zeros(40), np.zeros(40))
    assert "40 of 64 threads touched any array" in sentences
    assert any(sentence.startswith("At line 11 a warp splits in 1 of 2 cases") for sentence in sentences)


def test_every_kind_of_waste_has_a_sentence_with_its_numbers():
    text = "\n".join(explain(bad, 1, 32, np.zeros((32, 32), np.float32), np.zeros(1, np.float32)))
    assert "loads of x (line 19) touch 32 lines of 128 bytes where 1 would do" in text
    assert "fetch 32 sectors of 32 bytes where 4 would do" in text
    assert "stores to tile (line 19) take 32 passes of shared memory where 1 would do" in text
    assert "atomic operations on y (line 22) happen in 16 steps, one after the other" in text
    assert "Each block passed 1 barrier" in text
    assert "At line 21 a warp splits in 1 of 1 cases" in text
