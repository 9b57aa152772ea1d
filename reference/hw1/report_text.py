"""The sentences of hw1.pdf: what the kernels do, and what the measured times mean on the device they were taken on.

Times are seconds by the name that the comparisons print: {"CPU": 5.1, "Numba": 0.01, "CUDA": 0.03}.
"""

import datetime as dt


def explain_device(gpu: str, measured_at: dt.datetime) -> str:
    """Say on which device the CUDA times of this report were measured."""
    day = measured_at.date().isoformat()
    if gpu:
        return f"Measured on {day} on the GPU named above. CUDA times include the copies to the GPU and back."
    return (
        f"Measured on {day} on a machine without a GPU. The CUDA kernels were executed on the CPU "
        "(python -m grader.cuda_cpu). Their results are those of the kernels; their times are times of a CPU and are "
        "no GPU timings. Whether max_gpu is 40 times faster than max_cpu has to be measured on a GPU."
    )


def explain_max(times: dict[str, float], gpu: str) -> str:
    """Explain max_kernel and the two speed-ups of the sheet."""
    to_numba, to_cpu = times["Numba"] / times["CUDA"], times["CPU"] / times["CUDA"]
    return f"""
    max_kernel is launched with 1000 blocks of 1000 threads, one thread for each of the 1000 x 1000 entries. Block i
    works on row i, thread j of the block on column j: it reads A[i, j] and B[i, j], compares them and writes the
    larger one to C[i, j]. No two threads write the same entry, so that neither atomics nor a barrier are needed. The
    32 threads of a warp read 32 neighbouring numbers, which the memory delivers in a few transactions. Both loops end
    at the shape of C and step by the launched numbers of blocks and threads. At 1000 x 1000 each thread passes once;
    a smaller matrix leaves threads idle, a larger one lets them pass again, and no thread ever touches memory beyond
    the matrix.

    max_gpu copies A and B to the GPU (8 MB each), launches the kernel, and copies C back (8 MB). C itself is only
    reserved on the GPU, not copied there.

    Speed-up of max_gpu over max_numba: {to_numba:.2f}. Speed-up of max_gpu over max_cpu: {to_cpu:.0f}. The
    interpreter of max_cpu spends its time on a million rounds of looking up types and boxing numbers; the one
    comparison that is meant hardly counts. Numba compiles the same loops to machine code, which is as fast as the
    memory allows. {_judge_max(gpu)}
    """


def _judge_max(gpu: str) -> str:
    if not gpu:
        return (
            "Here the kernel ran on the CPU: nothing was copied over a bus, and no thousands of cores took part. The "
            "quotients set compiled code beside compiled code and the interpreter; they are no speed-ups of a GPU."
        )
    return (
        "On the GPU the comparison itself takes some tens of microseconds; nearly all of the time goes into the 24 MB "
        "that cross the bus. One comparison per two numbers copied is too little work for a GPU to win against "
        "compiled code that finds the matrices in its own memory already; against the interpreter it wins clearly."
    )


CORES = (1, 2, 4, 8)  # as the sheet asks; those that a machine has are measured, the others named


def explain_cores(times: dict[int, dict[str, float]]) -> str:
    """Explain what more cores change: nothing, how far the measured times support that, and what was not measured."""
    first, last = min(times), max(times)
    counts = ", ".join(map(str, times))
    if first == last:
        measured = f"This machine lets us measure {first} core only."
    else:
        factor = times[first]["CPU"] / times[last]["CPU"]
        measured = f"From {first} to {last} cores max_cpu became {factor:.2f} times as fast."
    if absent := [str(cores) for cores in CORES if cores not in times]:
        measured += f" Not measured: {', '.join(absent)} cores, which this machine does not have."
    return f"""
    Cores: measured with {counts}. {measured} None of the three functions uses a second core of the CPU: max_cpu is
    one thread of the interpreter, max_numba is compiled without parallel=True, and the host's part of max_gpu copies
    and launches from one thread. What differs between the rows is the noise of the measurement, or, where kernels are
    executed on the CPU, blocks that may run on several cores.
    """


def explain_matmul(times: dict[str, float], gpu: str) -> str:
    """Explain matmul_kernel and the measured times."""
    to_numba, to_numpy = times["Numba"] / times["CUDA"], times["Numpy"] / times["CUDA"]
    return f"""
    matmul_kernel is launched with 1 block of 1024 threads and computes C = X X^T for X of 784 x 128 numbers, so that
    C has 784 x 784 entries, C[i, j] being the product of the rows i and j of X. The threads form a square of 32 x 32
    and go together from one tile of 32 x 32 entries of C to the next, each thread computing one entry per tile.

    For a tile the threads walk along the columns of X in slices of 32. For each slice they carry 32 rows for the left
    factor and 32 rows for the right one into the shared memory, one number of each per thread, zeros beyond the edge.
    After cuda.syncthreads() each thread multiplies a row of the left factor by a row of the right one and adds the 32
    products to its sum; a second barrier keeps the next slice from overwriting numbers still in use. So each number
    that was read from the global memory is used 32 times. The rows of the shared arrays have 33 places instead of 32,
    so that threads reading a column find it in different banks. No thread leaves before the last barrier; one whose
    entry lies beyond the edge of C goes on with zeros and writes nothing.

    C is symmetric: only the 325 of 625 tiles on and below the diagonal are computed, and every sum is written to
    C[i, j] and C[j, i]. All loops end at the shape of X and not at the launch, so that every shape comes out right.

    What limits the kernel is calculated here, not measured: every multiply-add reads two numbers of 8 bytes from the
    shared memory. A warp reads 32 x 2 x 8 = 512 bytes for its 32 multiply-adds. At 128 bytes per clock that takes 4
    clocks, where a GPU with 64 lanes for double precision would need half a clock for the arithmetic.

    Speed-up of CUDA over Numba: {to_numba:.2f}, over NumPy: {to_numpy:.3f}. {_judge_matmul(gpu)}
    """


def _judge_matmul(gpu: str) -> str:
    numpy = (
        "NumPy calls a BLAS library, which is cut to the caches and vector units of this processor and knows that "
        "X X^T is symmetric; in the three plain loops that Numba compiles each addition waits for the one before it."
    )
    if not gpu:
        return (
            f"{numpy} Here the kernel ran on the CPU, where the 1024 threads take turns and shared memory is memory "
            "like any other: the time of CUDA says nothing about a GPU."
        )
    return (
        f"{numpy} One block runs on a single multiprocessor of the GPU, all others are idle: that is what the sheet "
        "asks for, and why this kernel stays far below what the GPU could do with a grid of blocks."
    )
