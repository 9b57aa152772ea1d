"""What all pages share."""

import pytest

from grader.reports import pages


@pytest.fixture
def templates(tmp_path, monkeypatch):
    """Return a folder that stands for the one of the templates."""
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(pages, "__file__", str(tmp_path / "pages.py"))
    return tmp_path / "templates"


def test_compiled_templates_are_kept_beside_them(templates):
    environment = pages.environment.__wrapped__()
    name = environment.get_template("plots.html").name
    kept = list(templates.glob("__pycache__/*"))
    assert len(kept) == 1
    source, path, _ = environment.loader.get_source(environment, name)
    assert environment.bytecode_cache.get_bucket(environment, name, path, source).code


def test_a_place_that_cannot_be_written_costs_nothing_but_time(templates):
    (templates / "__pycache__").write_text("a file, where the folder would be")
    environment = pages.environment.__wrapped__()
    assert environment.bytecode_cache is None
    assert environment.get_template("plots.html").name == "plots.html"
