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
def pose(tmp_path, libraries):
    """Return a function that poses as a machine of `standin.MACHINES` and returns the folder of its driver."""
    assert libraries.is_dir()
    return lambda name, *failures, **options: standin.pose(
        tmp_path / "driver", standin.MACHINES[name], failures, **options
    )
