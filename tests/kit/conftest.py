import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
import replica
from subprocesses import ended

from grader.assignment import load_assignment
from grader.kit.handout import Handout, make_handout
from grader.kit.parts import Parts, fetch_wheels, gather
from grader.kit.settings import KitSettings, load_settings

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "student_template/hw1"
LINE = re.compile(
    r"^([a-z_.]+): (passed|failed|partly right|warning|skipped|not measured|for a TA|to write|undecided|grader error)\b"
)
WORDS = {"to write": "failed", "warning": "failed", "partly right": "partly"}


@dataclass(frozen=True)
class Kit:
    """The wheel of the handout, unpacked: what students run, beside this environment's libraries."""

    folder: Path

    def run(
        self, *arguments: str, cwd: Path, code: int | None = None, caller: str = ""
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "", "CHECKED_BY": caller}
        done = ended([sys.executable, "-m", "hw1check", *arguments], cwd=cwd, env=environment)
        assert code is None or done.returncode == code, done.stdout + done.stderr
        return done

    def outcomes(self, folder: Path, *arguments: str) -> tuple[dict[str, str], str]:
        done = self.run("check", "--plain", "--fresh", "--device", "cpu", *arguments, cwd=folder)
        found = [match.groups() for line in done.stdout.splitlines() if (match := LINE.match(line))]
        assert found, done.stdout + done.stderr
        return {check: WORDS.get(word, word) for check, word in found}, done.stdout

    @staticmethod
    def predicted(text: str) -> tuple[float, float]:
        match = re.search(r"^Predicted: ([\d.]+)(?: to ([\d.]+))? of 90 automatic points", text, re.MULTILINE)
        return float(match[1]), float(match[2] or match[1])


@pytest.fixture(scope="session")
def settings() -> KitSettings:
    return load_settings(load_assignment("hw1"))


@pytest.fixture(scope="session")
def handout(settings, tmp_path_factory) -> Handout:
    return make_handout(settings, TEMPLATE, tmp_path_factory.mktemp("handout"))


@pytest.fixture(scope="session")
def unzipped(handout, tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("student")
    with zipfile.ZipFile(handout.path) as archive:
        archive.extractall(home)
    return home / "hw1"


@pytest.fixture(scope="session")
def kit(handout, tmp_path_factory) -> Kit:
    folder = tmp_path_factory.mktemp("kit")
    with zipfile.ZipFile(io.BytesIO(handout.wheel.data)) as archive:
        archive.extractall(folder)
    return Kit(folder)


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
