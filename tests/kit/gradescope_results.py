"""What Gradescope hands a program, and what it documents of the result that it wants."""

import json

ASSIGNMENT = {"id": 25828, "course_id": 1234, "title": "hw1", "total_points": "100.0"}
ASSIGNMENT |= {"group_size": 4, "group_submission": True, "late_due_date": None}
ASSIGNMENT |= {"due_date": "2026-06-30T23:00:00.000000-07:00", "release_date": "2026-06-02T00:00:00.000000-07:00"}
METADATA = {
    "id": 123456,
    "created_at": "2026-07-01T14:22:32.365935-07:00",
    "assignment": ASSIGNMENT,
    "submission_method": "upload",
    "users": [{"email": "ada@example.org", "id": 1234, "name": "Ada Lovelace"}],
    "previous_submissions": [{"submission_time": "2026-06-06T14:24:48.087023-07:00", "score": 90.0, "results": {}}],
}
NUMBER = (int, float)
DOCUMENT = {
    **dict.fromkeys(("score", "execution_time"), NUMBER),
    **dict.fromkeys(("output", "output_format", "test_output_format", "test_name_format"), str),
    **dict.fromkeys(("visibility", "stdout_visibility"), str),
    "extra_data": dict,
    **dict.fromkeys(("tests", "leaderboard"), list),
}
TEST = {
    **dict.fromkeys(("score", "max_score"), NUMBER),
    **dict.fromkeys(("status", "name", "name_format", "number", "output", "output_format", "visibility"), str),
    "tags": list,
    "extra_data": dict,
}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}


def expect_documented(result):
    """Hold a result against https://gradescope-autograders.readthedocs.io/en/latest/specs/, field by field."""
    for fields, known in ((result, DOCUMENT), *((test, TEST) for test in result["tests"])):
        assert not fields.keys() - known.keys()
        assert all(isinstance(value, known[name]) for name, value in fields.items())
        assert fields.get("output_format", "text") in FORMATS
        assert fields.get("visibility", "visible") in VISIBILITIES
        assert fields.get("status", "passed") in {"passed", "failed"}
    assert isinstance(result["score"], int | float)


def read_result(home):
    """Return the result that Gradescope finds, if it is as documented."""
    result = json.loads((home / "results/results.json").read_text())
    expect_documented(result)
    return result
