"""Every rung of the ladder of products gives the executor's numbers, as PTX that NVVM compiled."""

import sys
from pathlib import Path

import numpy as np
import pytest
from driver import ladder, standin
from subprocesses import ended

pytestmark = pytest.mark.parametrize("installation", ["gpu12", "gpu13"], indirect=True)

PROGRAM = Path(ladder.__file__)
RUNGS = 6


def asked(python, device, out, environment=None):
    command = [python, "-W", "ignore", PROGRAM, device, out]
    done = ended(command, env=environment, cwd=standin.ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    with np.load(out) as found:
        return dict(found)


@pytest.mark.wide
def test_every_rung_gives_the_executors_numbers(installation, pose, tmp_path):
    driver = pose(installation.suited)
    on_gpu = asked(installation.python, "gpu", tmp_path / "gpu.npz", installation.environment(driver))
    on_cpu = asked(sys.executable, "cpu", tmp_path / "cpu.npz")
    assert on_gpu.keys() == on_cpu.keys()
    assert len(on_gpu) == len(ladder.CASES) * (RUNGS + 1)
    for name, found in on_gpu.items():
        np.testing.assert_allclose(found, on_cpu[name], rtol=1e-5, atol=1e-5, err_msg=name)
        np.testing.assert_allclose(found, on_gpu[name.partition(" ")[0]], rtol=1e-4, atol=1e-4, err_msg=name)
