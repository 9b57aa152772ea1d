import subprocess
import tempfile
from pathlib import Path

import pytest
import replica

from grader.assignment import load_assignment
from grader.packages.parts import Parts, fetch_wheels, gather


@pytest.fixture(scope="session")
def parts() -> Parts:
    """What a package of hw1 is made of, for the Python of Debian 12, with wheels fetched while setting up."""
    return gather(load_assignment("hw1"), python="3.11")


@pytest.fixture(scope="session")
def wheelhouse(parts, tmp_path_factory):
    """All wheels for Python 3.11, from the registry."""
    folder = tmp_path_factory.mktemp("wheelhouse")
    fetch_wheels(parts, folder)
    return folder


@pytest.fixture(scope="session")
def roots():
    """A folder for root file systems, which are large, and go at once; Podman takes short paths only."""
    if missing := replica.what_is_missing():
        pytest.skip(missing)
    with tempfile.TemporaryDirectory(prefix="roots-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def debian(roots):
    """The root file system of a small Debian with Python, without pip and venv; nobody may change it."""
    return replica.make_root(roots / "debian", "python3")


@pytest.fixture(scope="session")
def container(debian, roots):
    """Return a function that makes a container of a fresh copy of that Debian."""

    def make(name: str) -> replica.Container:
        subprocess.run(["cp", "-a", "--reflink=auto", debian, roots / name], check=True)
        return replica.Container(roots / name, roots)

    return make
