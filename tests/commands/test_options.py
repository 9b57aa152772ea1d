"""What options ask for, and that one which is of no use is refused."""

import dataclasses
import importlib
import re
import secrets
import types
from unittest.mock import MagicMock

import pytest
from rows import each

from grader.__main__ import run
from grader.commands import HELP, SANDBOXES, Parser, add_options
from grader.kit.parts import HERE, PYTHONS
from grader.sandbox.levels import WANTED

PLACES = {name: ["batch"] for name in ("batch", "rescore", "review", "similarity", "verify")}
PLACES |= {"appeal": ["batch", "somebody"], "mail": ["batch", "template"], "merge": ["batch", "records"]}
PLACES |= {"mark": ["batch", "somebody", "some.check", "5"], "diff": ["old", "new"], "grade": ["hw1.zip"]}
PLACES |= {"inside": ["gradescope"], "package": ["gradescope"], "new": ["axpy"]}
"""Command -> what it cannot do without."""
BESIDE = {"batch --slurm": ["batch", "--backend", "slurm"], "mark --file": ["batch"]}
BESIDE |= {"mark --replace": ["batch", "--file", "marks.csv"]}
"""Option -> what stands beside it, where that is something else."""
EXAMPLES = {"Path": "somewhere", "float": "9", "int": "2", "natural": "7", "str": "other", "_words": "-x"}
EXAMPLES |= {"_count": "3", "_counts": "2", "_data_folder": "digits", "_formats": "json"}
EXAMPLES |= {"_share": "3/3"}
"""How an option's text is read -> a text that is no option's default."""
ANSWERS = {
    "batch": {"prepare.return_value.store.root.name": "hw1"},
    "bench": {"choose_device.return_value": ("cpu", "CPU"), "count_cores.return_value": 8, "render.return_value": ""},
    "grade": dict.fromkeys(("grade.return_value.evidence.submission.name", "printable.return_value"), "hw1")
    | dict.fromkeys(("grade.return_value.evidence.refusal", "render.return_value"), "")
    | {"grade.return_value.score_low": 5.0},
    "mark": {"read_marks.return_value.current": {}, "number.return_value": 5.0},
    "merge": {"find_records.return_value": ((), ())},
    "package": {"collect_finals.return_value": ({}, ())},
    "verify": {"find_place.return_value.whole": None},
}
"""Command -> what it has to be answered, so that it goes on as far as its last option."""
INSIDE = {
    "batch": [
        *("grader.course.cluster.slurm.SlurmBackend", "grader.course.cluster.slurm.read_settings"),
        "grader.commands.batch.Board",
    ],
    "bench": ["grader.sandbox.levels.choose_launcher"],
    "check": ["grader.kit.dialogue.talk"],
    "doctor": ["grader.kit.inside.find_data", "grader.kit.inside.read_settings"],
    "grade": ["grader.grading.grade"],
    "new": ["grader.commands.authors.make_scaffold"],
    "review": ["grader.commands.review.serve"],
    "similarity": ["grader.commands.afterwards._read_template"],
    "zip": ["grader.kit.dialogue.predict_quietly"],
}
"""Command -> what else it asks: what is imported while it runs, or stands in its own module."""


def is_asked(value, module):
    """Return whether a name of a command's module is something of the house that does work, and no record or error."""
    if isinstance(value, types.ModuleType):
        return value.__name__.startswith("grader.")
    if not getattr(value, "__module__", "").startswith("grader.") or value.__module__ == module.__name__:
        return False
    is_work = isinstance(value, type) and not dataclasses.is_dataclass(value) and not issubclass(value, Exception)
    return is_work or isinstance(value, types.FunctionType)


@pytest.fixture
def request_of(monkeypatch, tmp_path):
    """Return a function that runs a command line, of which nothing is done, and returns all that it asked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(secrets, "randbits", lambda _: 0)
    monkeypatch.setattr(secrets, "token_hex", lambda _: "")

    def run(name, words):
        parser = Parser(name)
        add_options(name, parser)
        options, house = parser.parse_args(words), MagicMock()
        module = importlib.import_module(options.command.__module__)
        house.configure_mock(**ANSWERS.get(name, {}))
        with monkeypatch.context() as patched:
            for path in INSIDE.get(name, ()):
                patched.setattr(path, getattr(house, path.rpartition(".")[2]))
            for known, value in list(vars(module).items()):
                if is_asked(value, module):
                    patched.setattr(module, known, getattr(house, known))
            try:
                end = options.command(options)
            except Exception as error:  # noqa: BLE001 - answers that make no sense; all was asked before
                end = repr(error)
        return re.sub(r"id='\d+'|0x[0-9a-f]+|/grader-[\w-]+", "", f"{house.mock_calls} {end!r}")

    return run


def given(option):
    """Return a command line's words that give an option a value that is not its default."""
    if option.nargs == 0:
        return [option.option_strings[-1]]
    if option.choices:
        return [option.option_strings[-1], next(str(one) for one in option.choices if one and one != option.default)]
    return [f"{option.option_strings[-1]}={EXAMPLES[getattr(option.type, '__name__', 'str')]}"]


@pytest.mark.parametrize("name", HELP)
def test_each_option_changes_what_is_asked_for(request_of, name):
    lost = []
    parser = Parser(name)
    add_options(name, parser)
    for option in (one for one in parser._actions if one.option_strings and one.dest != "help"):
        beside = BESIDE.get(f"{name} {option.option_strings[-1]}", PLACES.get(name, []))
        before = request_of(name, beside)
        assert before == request_of(name, beside), "the same command line asks for the same"
        lost += [] if request_of(name, [*beside, *given(option)]) != before else option.option_strings
    assert lost == []


@each(
    "platform, option, said",
    ("colab", ["--wheelhouse"], "leave out --wheelhouse"),
    ("colab", ["--sandbox", "limits"], "leave out --sandbox"),
    ("colab", ["--python", next(python for python in PYTHONS if python != HERE)], "leave out --python"),
    ("colab", ["--cuda", "13"], "leave out --cuda"),
    ("github", ["--final", "batch"], "upload the batch's sheets there"),
)
def test_an_option_that_a_platform_has_no_use_for_is_refused(platform, option, said, tmp_path, capsys):
    assert run(["package", platform, *option, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_package_that_grades_nothing_tells_of_no_data_and_what_may_confine_is_the_same_for_all(tmp_path, capsys):
    assert run(["package", "colab", "--out", str(tmp_path / "out")]) == 0
    assert "learns" not in capsys.readouterr().out
    assert SANDBOXES == WANTED
