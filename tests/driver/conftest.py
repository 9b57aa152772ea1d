"""Each test here runs with every installation of Numba's CUDA targets that this machine has."""

import pytest
from driver import standin


@pytest.fixture(scope="session", params=["numba", "gpu12", "gpu13"])
def installation(request) -> standin.Installation:
    found = standin.installations().get(request.param)
    if found is None:
        needs = "a CUDA toolkit in CUDA_HOME" if request.param == "numba" else "make gpu-environments"
        pytest.skip(f"no installation of {request.param} here: {needs}")
    return found


@pytest.fixture
def suited(installation):
    return installation.suited


@pytest.fixture(scope="session")
def libraries():
    try:
        return standin.built()
    except standin.CannotBuildError as error:
        pytest.skip(str(error))


@pytest.fixture
def pose(tmp_path, libraries, installation):
    """Return a function that poses as a machine of `standin.MACHINES` and returns the folder of its driver.

    It skips a test whose machine has too old a driver for the installation, unless the machine `is_too_old` on purpose.
    """
    assert libraries.is_dir()

    def pose_as(name, *failures, is_too_old=False, **options):
        machine = standin.MACHINES[name]
        if machine.driver < installation.oldest_driver and not is_too_old:
            pytest.skip("this installation needs a younger driver")
        return standin.pose(tmp_path / "driver", machine, failures, **options)

    return pose_as
