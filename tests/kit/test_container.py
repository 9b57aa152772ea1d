"""The image: built by Podman on an unpacked Debian, and Apptainer's steps replayed in one; then graded in both."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import handins
import pytest

from grader.kit.platforms import make_package

pytestmark = pytest.mark.timeout(1500)  # a Debian is unpacked, and everything installed in it


def sections(text):
    parts = re.split(r"^%(\w+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture(scope="module")
def package(parts, wheelhouse, tmp_path_factory):
    return make_package("container", replace(parts, wheelhouse=wheelhouse), tmp_path_factory.mktemp("package"))


def test_both_recipes_have_the_same_steps(parts, tmp_path):
    folder = make_package("container", parts, tmp_path)
    image = (folder / "Containerfile").read_text().replace("&&", "\n").replace("RUN", "")
    definition = (folder / "grader.def").read_text()
    steps = [line.strip() for line in sections(definition)["post"].splitlines() if line.strip()]
    assert steps == [line.strip() for line in image.splitlines() if line.strip() in steps]
    assert re.search(r"^FROM (.*)$", image, re.MULTILINE)[1] == re.search(r"^From: (.*)$", definition, re.MULTILINE)[1]


@pytest.fixture(scope="module")
def apptainer(container, package):
    """A container as Apptainer would have made it, without network."""
    made = container("apptainer")
    recipe = sections((package / "grader.def").read_text())
    assert recipe["files"].split() == [".", "/package"]
    shutil.copytree(package, made.root / "package")
    done = made.run("sh", "-ec", recipe["post"])
    assert done.returncode == 0, done.stderr
    (made.root / "work").mkdir()
    shutil.copytree(handins.REFERENCE, made.root / "work/hw1")
    return replace(made), recipe["runscript"]


@pytest.mark.slow
def test_apptainers_image_grades_as_an_ordinary_user(apptainer):
    """Apptainer's user is the cluster's, and nothing of the image can be written; only what is mounted."""
    made, runscript = apptainer
    (made.root / "work").chmod(0o777)
    words = ["grade", "hw1", "--device", "cpu"]
    done = made.run("sh", "-c", runscript, "sh", *words, folder="/work", user="1000")
    assert done.returncode == 0, done.stderr
    result = json.loads((made.root / "work/out/hw1/results.json").read_text())
    assert result["extra_data"]["score_range"] == [83, 100]
    assert result["extra_data"]["sandbox"] in {"full", "landlock"}


@pytest.mark.slow
def test_podman_builds_the_image_and_its_command_is_grader(package, debian, container, tmp_path):
    made = container("builder")
    archive = tmp_path / "debian.tar"
    subprocess.run(["tar", "-C", debian, "-cf", archive, "."], check=True)
    assert made.podman("import", str(archive), "localhost/debian").returncode == 0
    how = ("--isolation=chroot", "--layers=false", "--network=host", "--from=localhost/debian", "-t", "grader")
    built = made.podman("build", *how, str(package))
    assert built.returncode == 0, built.stderr
    settings = json.loads(made.podman("inspect", "localhost/grader").stdout)[0]["Config"]
    assert (settings["Entrypoint"], settings["WorkingDir"]) == (["/opt/grader/bin/grader"], "/work")


@pytest.mark.slow
def test_from_the_registry_a_debian_without_python_gets_all_that_it_lacks(parts, container, tmp_path):
    """Python comes from Debian, where the platform has none or an old one, and all else pinned from the registry."""
    made = container("online")
    made.let_reach_registries()
    assert made.run("apt-get", "purge", "-y", "-qq", "python3.11-minimal").returncode == 0
    shutil.copytree(make_package("container", parts, tmp_path), made.root / "package")
    done = made.run("sh", "/package/install.sh", "/opt/grader", online=True)
    assert done.returncode == 0, done.stderr
    shown = made.run("/opt/grader/bin/python", "-c", "import numba; print(numba.__version__)").stdout.strip()
    assert f"numba=={shown}\n" in parts.constraints
    assert made.run("/opt/grader/bin/grader", "--version").returncode == 0


@pytest.mark.slow
def test_without_python_and_network_it_is_said_what_is_missing(package, container):
    made = container("bare")
    assert made.run("apt-get", "purge", "-y", "-qq", "python3.11-minimal").returncode == 0
    shutil.copytree(package, made.root / "package")
    done = made.run("sh", "/package/install.sh", "/opt/grader")
    assert done.returncode == 1
    said = "No Python of these versions is here, nor could one be installed: 3.11."
    assert done.stderr.splitlines()[-1].startswith(said)
