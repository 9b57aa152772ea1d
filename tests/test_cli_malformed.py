"""Zips that no program may open, from the command line: a report and exit code 2, no traceback, nothing elsewhere."""

import json

import pytest
from malformed import zips

from grader import cli
from grader.commands import USAGE


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.wide if place % 6 else []) for place, name in enumerate(zips.REFUSED)]
)
def test_a_malformed_zip_gives_a_report_that_says_why(tmp_path, capsys, name):
    build, fragment = zips.REFUSED[name]
    (tmp_path / "hw1.zip").write_bytes(build())
    where = ["--out", str(tmp_path / "out"), "--device", "cpu", "--sandbox", "limits"]
    code = cli.run(["grade", str(tmp_path / "hw1.zip"), *where])
    printed = "".join(capsys.readouterr())
    assert code == USAGE
    assert "Traceback" not in printed
    assert {path.name for path in tmp_path.iterdir()} == {"hw1.zip", "out"}
    assert {path.name for path in (tmp_path / "out" / "hw1").iterdir()} == {
        *("evidence.json", "junit.xml", "report.html", "results.json", "staff.html")
    }
    results = json.loads((tmp_path / "out/hw1/results.json").read_text())
    assert results["score"] == 0
    assert fragment in json.loads((tmp_path / "out/hw1/evidence.json").read_text())["refusal"]
    assert results["extra_data"]["flags"], "a person looks at what no program may open"
