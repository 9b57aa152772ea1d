"""A bench without measuring: timings that a test describes."""

import pytest

from grader.bench.model import Bench, Chart, Timing


@pytest.fixture
def make_bench():
    def make(timings, *, device="cpu", machine="Test CPU, 8 core(s)"):
        chart = Chart("max", "Maximum of two matrices", tuple(timings), on_cpu=device == "cpu")
        return Bench(machine, device, "NVIDIA Test", (chart,))

    return make


@pytest.fixture
def timings():
    """CPU does not gain from cores, Numba does, CUDA failed."""
    return [
        *(Timing("max", "CPU", cores, (0.4, 0.41, 0.45), first_s=0.5) for cores in (1, 2, 4)),
        *(Timing("max", "Numba", cores, (0.004 / cores, 0.0041 / cores), first_s=0.6) for cores in (1, 2, 4)),
        *(Timing("max", "CUDA", cores, problem="raised TypeError", kernels=True) for cores in (1, 2, 4)),
    ]
