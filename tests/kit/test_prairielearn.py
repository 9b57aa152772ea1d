"""PrairieLearn's package: its layout as documented, and the layout of /grade replayed, without network."""

import json
import shutil
import uuid
import zipfile
from dataclasses import replace
from pathlib import Path

import handins
import pytest
import replays

from grader.assignment import load_assignment
from grader.kit.parts import gather
from grader.kit.platforms import make_package

pytestmark = pytest.mark.timeout(3000)  # everything is installed anew where a platform is replayed

OPTIONS = {"image", "entrypoint", "serverFilesCourse", "timeout", "enableNetworking", "environment", "comment"}


def unpack(made, folder):
    """Return `folder` with the course's files; `zipfile` alone would forget which can be executed."""
    shutil.unpack_archive(made, folder)
    with zipfile.ZipFile(made) as archive:
        for info in archive.infolist():
            (folder / info.filename).chmod(info.external_attr >> 16 or 0o755)
    return folder


@pytest.fixture(scope="module")
def course(parts, tmp_path_factory):
    """The folder of a course with the package for hw1, which sets itself up over the network."""
    folder = tmp_path_factory.mktemp("course")
    return unpack(make_package("prairielearn", parts, folder / "made"), folder / "course")


def test_the_question_is_graded_externally_and_until_a_grading_ends_its_result_is_that_it_failed(course):
    info = json.loads((course / "questions/hw1/info.json").read_text())
    assert {"uuid", "title", "topic", "type", "gradingMethod"} <= set(info)
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    assert uuid.UUID(info["uuid"]).version == 4
    options = info["externalGradingOptions"]
    assert set(options) <= OPTIONS
    assert options["timeout"] <= 600
    (folder,) = options["serverFilesCourse"]
    entry = course / "serverFilesCourse" / options["entrypoint"].removeprefix("/grade/serverFilesCourse/")
    assert entry.parent == course / "serverFilesCourse" / folder.rstrip("/")
    assert entry.stat().st_mode & 0o111
    page = (course / "questions/hw1/question.html").read_text()
    assert '<pl-file-upload file-names="hw1.zip">' in page
    assert "<pl-external-grader-results>" in page
    failed = json.loads((course / "serverFilesCourse/hw1-grader/failed.json").read_text())
    assert failed["gradable"] is False
    assert "no points" in failed["format_errors"][0]


def test_a_question_keeps_its_identifier_and_no_two_have_the_same(parts, course, tmp_path):
    def read(folder, name):
        return json.loads((folder / f"questions/{name}/info.json").read_text())["uuid"]

    again = unpack(make_package("prairielearn", parts, tmp_path / "1"), tmp_path / "again")
    other = unpack(make_package("prairielearn", gather(load_assignment("layers")), tmp_path / "2"), tmp_path / "other")
    assert read(course, "hw1") == read(again, "hw1") != read(other, "layers")


class Platform:
    def __init__(self, parts, folder):
        self.folder, self.opt = folder, folder / "opt"
        self.course = unpack(make_package("prairielearn", parts, folder / "made"), folder / "course")
        package = self.course / "serverFilesCourse/hw1-grader"
        replays.build_image(package / "Dockerfile", package, self.opt)
        self.options = json.loads((self.course / "questions/hw1/info.json").read_text())["externalGradingOptions"]

    def grade(self, upload: bytes, name: str, opt: Path | None = None) -> tuple[dict, Path]:
        """Return results.json and the /grade of one job."""
        grade = self.folder / name
        shutil.copytree(self.course / "serverFilesCourse", grade / "serverFilesCourse")
        (grade / "student").mkdir()
        (grade / "data").mkdir()
        (grade / "data/data.json").write_text("{}")
        (grade / "student/hw1.zip").write_bytes(upload)
        done = replays.contain({"/grade": grade, "/opt": opt or self.opt}, [self.options["entrypoint"]])
        assert "FORGED" not in done.stdout
        results = grade / "results/results.json"
        assert results.stat().st_size < 1_000_000
        return json.loads(results.read_text()) | {"code": done.returncode, "said": done.stdout}, grade


@pytest.fixture(scope="module")
def platform(parts, wheelhouse, tmp_path_factory):
    return Platform(replace(parts, wheelhouse=wheelhouse), tmp_path_factory.mktemp("prairielearn"))


@pytest.mark.slow
def test_the_reference_gets_all_that_a_machine_without_a_gpu_can_give(platform):
    result, _ = platform.grade(handins.packed(handins.reference_files()), "reference")
    assert (result["gradable"], result["score"], result["grader"]["score_range"]) == (True, 0.83, [83, 100]), result
    assert [image["label"] for image in result["images"]] == ["train.accuracy: accuracy after each epoch"]


@pytest.mark.slow
def test_the_template_gets_nothing_in_an_image_without_the_grader(platform, tmp_path):
    """The entry point sets the grader up, from the wheels in the course."""
    result, _ = platform.grade(handins.packed(handins.template_files()), "template", tmp_path)
    assert (result["gradable"], result["score"]) == (True, 0), result


@pytest.mark.slow
def test_a_hostile_hand_in_gets_nothing_and_leaves_no_trace(platform):
    result, grade = platform.grade(handins.packed(replays.hostile()), "hostile")
    assert (result["gradable"], result["score"]) == (True, 0), result
    assert result["grader"]["sandbox"] in {"full", "landlock"}
    assert not [name for name in replays.marks_of_forgery(grade, platform.opt) if not name.endswith("results.json")]
    assert "forged" not in result


@pytest.mark.slow
def test_a_file_that_is_no_zip_costs_no_attempt_and_says_why(platform):
    result, _ = platform.grade(b"Rar!\x1a\x07\x00 not a zip", "refused")
    assert result["gradable"] is False
    assert "RAR" in result["format_errors"][0]


@pytest.mark.slow
def test_a_fault_of_ours_costs_nothing(platform):
    broken = platform.folder / "broken"
    shutil.copytree(platform.opt, broken, symlinks=True)
    shutil.rmtree(broken / "grader/lib/python3.11/site-packages/msgspec")
    result, _ = platform.grade(handins.packed(handins.template_files()), "fault", broken)
    assert result["code"] != 0
    assert (result["gradable"], "score" in result) == (False, False)
    assert "The grader failed here" in result["format_errors"][0]
