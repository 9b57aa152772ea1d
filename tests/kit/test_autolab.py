"""Autolab's package: an archive that can be imported, and Tango's machine replayed, without network and with limits."""

import io
import json
import re
import tarfile
from dataclasses import replace

import handins
import pytest
import replays
import yaml

from grader.kit.platforms import make_package

pytestmark = pytest.mark.timeout(3000)  # everything is installed anew where a platform is replayed

HOME = "/home/autograde"
USER = 1000
TANGOS, RAISED = "ulimit -f 204800", "ulimit -f 2097152"
"""How large a file may be, in halves of a KiB: Tango's default of 100 MiB, and what the package asks for."""


@pytest.fixture(scope="module")
def lab(parts, tmp_path_factory):
    """The archive of hw1, which sets itself up over the network: name -> content."""
    return read(make_package("autolab", parts, tmp_path_factory.mktemp("lab")) / "hw1.tar")


def read(path):
    """Return the names in a tar archive with the contents, None for a folder, in the archive's order."""
    with tarfile.open(path) as archive:
        return {one.name: archive.extractfile(one).read() if one.isfile() else None for one in archive}


def test_the_archive_is_one_folder_with_a_description_that_names_hand_in_image_and_problems(lab):
    assert next(iter(lab.items())) == ("hw1", None)
    assert set(lab) == {"hw1", "hw1/hw1.yml", "hw1/autograde-Makefile", "hw1/autograde.tar"}
    described = yaml.safe_load(lab["hw1/hw1.yml"])
    assert (described["general"]["name"], described["general"]["handin_filename"]) == ("hw1", "hw1.zip")
    assert described["autograder"]["autograde_image"] == "hw1_image"
    problems = {"Part 1 - neural network": 35, "Part 2 - element-wise maximum": 30, "Part 3 - X·Xᵀ": 22, "Report": 13}
    assert {one["name"]: one["max_score"] for one in described["problems"]} == problems
    with tarfile.open(fileobj=io.BytesIO(lab["hw1/autograde.tar"])) as archive:
        names = archive.getnames()
    assert {"autograde/driver.sh", "autograde/install.sh", "autograde/settings.json"} <= set(names)
    assert all(name == "autograde" or name.startswith("autograde/") for name in names)


class Platform:
    """Autolab and Tango, as far as a grading sees them."""

    def __init__(self, parts, folder):
        made = make_package("autolab", parts, folder / "made")
        self.folder, self.opt, self.lab = folder, folder / "opt", read(made / "hw1.tar")
        with tarfile.open(fileobj=io.BytesIO(self.lab["hw1/autograde.tar"])) as archive:
            archive.extractall(folder, filter="data")
        replays.build_image(made / "Dockerfile", folder / "autograde", self.opt)

    def run(self, upload, name, opt=None, limit=RAISED, wheels=None):
        """Return what a job printed, its stdout and its stderr, and its folder."""
        archive = self.lab["hw1/autograde.tar"] if wheels is None else self.without_wheels()
        home = self.folder / name
        home.mkdir()
        (home / "hw1.zip").write_bytes(upload)
        (home / "Makefile").write_bytes(self.lab["hw1/autograde-Makefile"])
        (home / "autograde.tar").write_bytes(archive)
        binds = {HOME: home, "/opt": opt or self.opt}
        return replays.contain(binds, ["sh", "-c", f"{limit}; make"], at=HOME, user=USER).stdout, home

    def without_wheels(self):
        """Return an autograde.tar whose wheels were lost on the way."""
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for path in (self.folder / "autograde").rglob("*"):
                if path.parent.name != "wheelhouse":
                    archive.add(path, path.relative_to(self.folder), recursive=False)
        return buffer.getvalue()

    def grade(self, upload, name):
        """Return what a job printed, with the scores that Autolab takes from it, and its folder."""
        printed, home = self.run(upload, name)
        last = printed.rstrip().split("\n")[-1]
        assert last.startswith('{"scores":'), printed
        return printed, json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last))["scores"], home


@pytest.fixture(scope="module")
def platform(parts, wheelhouse, tmp_path_factory):
    return Platform(replace(parts, wheelhouse=wheelhouse), tmp_path_factory.mktemp("autolab"))


@pytest.mark.slow
def test_the_reference_gets_all_that_a_machine_without_a_gpu_can_give(platform):
    printed, scores, _ = platform.grade(handins.packed(handins.reference_files()), "reference")
    assert "Score: 83 to 100 of 100 (provisional)" in printed
    assert sum(scores.values()) == 83, printed


@pytest.mark.slow
def test_the_template_gets_nothing(platform):
    printed, scores, _ = platform.grade(handins.packed(handins.template_files()), "template")
    assert sum(scores.values()) == 0, printed


@pytest.mark.slow
def test_a_hostile_hand_in_gets_nothing_and_cannot_forge_the_last_line(platform):
    printed, scores, home = platform.grade(handins.packed(replays.hostile()), "hostile")
    assert sum(scores.values()) == 0, printed
    assert len(scores) == 4
    assert "FORGED" not in printed
    assert not replays.marks_of_forgery(home, platform.opt)


@pytest.mark.slow
def test_a_file_that_is_no_zip_says_why(platform):
    printed, scores, _ = platform.grade(b"Rar!\x1a\x07\x00 not a zip", "refused")
    assert "this is a RAR archive, not a zip archive" in " ".join(printed.split())
    assert sum(scores.values()) == 0


@pytest.mark.slow
def test_an_image_without_the_grader_is_set_up_at_each_grading(platform, tmp_path):
    printed, _ = platform.run(handins.packed(handins.template_files()), "bare", tmp_path)
    assert printed.rstrip().split("\n")[-1].startswith('{"scores":'), printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ({"limit": TANGOS}, "VM_ULIMIT_FILE_SIZE in Tango's config.py has to be 1 GiB or more. This is no grade"),
        ({"wheels": ()}, "The grader could not be set up here. This is no grade"),
    ],
)
def test_a_machine_that_cannot_grade_says_why_and_gives_no_scores(platform, tmp_path, fault, said):
    """Autolab then leaves the scores that it has."""
    printed, _ = platform.run(handins.packed(handins.template_files()), tmp_path.name, tmp_path, **fault)
    assert said in printed
    assert '{"scores"' not in printed
