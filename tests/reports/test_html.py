"""The page: complete, self-contained, and nothing in it that a student's text could become."""

import base64
import hashlib
from dataclasses import replace

import pytest
import sample_reports as samples
from hypothesis import given
from hypothesis import strategies as st
from parsed_pages import Page
from report_strategies import reports, unhurried
from rows import each, some

from grader.model import Adjustment, Finding, Mark, Outcome
from grader.reports import html
from grader.scoring.score import score

KNOWN_TAGS = """
    html head meta title style body header div p h1 h2 h3 ul li span bdi svg circle strong em main section a code
    details summary dl dt dd pre figure figcaption text line polyline rect footer nav ol label input aside
"""
KNOWN_ATTRIBUTES = """
    lang charset http-equiv content name class viewbox aria-hidden focusable role aria-label aria-labelledby cx cy r
    pathlength stroke-dasharray stroke-dashoffset id href open tabindex preserveaspectratio width height x y x1 x2 y1 y2
    rx points text-anchor type
"""
TAGS = set(KNOWN_TAGS.split())
ATTRIBUTES = set(KNOWN_ATTRIBUTES.split())


def page_of(report, render=html.render_staff):
    return Page(render(report))


VIEWS = pytest.mark.parametrize("render", [html.render, html.render_staff])


@VIEWS
def test_every_sample_is_a_well_formed_page_of_known_tags_and_unique_anchors(report, render):
    page = page_of(report, render)
    assert page.unbalanced == []
    assert {*page.tags} <= TAGS
    assert {name for name, _ in page.attributes} <= ATTRIBUTES
    anchors = [value for name, value in page.attributes if name == "id"]
    assert len(anchors) == len(set(anchors))


@unhurried
@given(reports(), st.sampled_from([html.render, html.render_staff]))
def test_no_text_becomes_a_tag_or_an_attribute(report, render):
    page = page_of(report, render)
    assert page.unbalanced == []
    assert {*page.tags} <= TAGS
    assert {name for name, _ in page.attributes} <= ATTRIBUTES
    assert f"{samples.MARK}>" not in render(report)
    values = [value.removesuffix(", provisional") for _, value in page.attributes if value]
    assert f"Score: {report.score_text}" in values


@VIEWS
def test_hostile_texts_are_shown_and_do_nothing(render):
    source = render(samples.hostile())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in source
    assert "<script" not in source
    assert "{{ 7*7 }}" in source
    assert not set(source) & set("\x00\x1b\x07\u202e\u2066\ud800")


def test_long_texts_keep_a_page_small_of_a_long_fact_the_end_is_shown_and_a_list_of_sentences_is_a_list():
    text = "<&" * 500_000
    finding = Finding(text, text, text, text, text)
    seen = {"outcome": Outcome.FAILED, "finding": finding, "remarks": (finding,), "output": text}
    assert len(html.render(samples.make(lambda check: samples.passed(check, **seen)))) < 8_000_000
    facts = {"notes": "begin\n" + "x" * 10_000 + "\nend", "counted_not_timed": ["one <b>", "two"]}
    source = html.render(samples.make(lambda check: samples.passed(check, facts=facts)))
    assert "\nend</dd>" in source
    assert "begin" not in source
    assert 'counted not timed</dt><dd><ul><li class="text">one &lt;b&gt;</li>' in source


def test_the_page_needs_nothing_else(report):
    source = html.render(report)
    page = Page(source)
    assert all(value.startswith("#") for name, value in page.attributes if name in {"href", "src"})
    style = source.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = page.attributes[page.attributes.index(("http-equiv", "Content-Security-Policy")) + 1][1]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not [word for word in ("url(", "@import") if word in style]
    assert source.index("Content-Security-Policy") < source.index("<style>"), "before what it is about"


def test_every_check_has_its_sentence_points_and_anchor_and_names_in_backticks_are_code():
    report = samples.mixed()
    page = page_of(report)
    anchors = {value for name, value in page.attributes if name == "id"}
    for result in some(report.results):
        assert result.criterion.id in anchors
        assert "".join(result.observation.sentence.replace("`", "").split()) in "".join(page.text.split())
    finding = Finding("`<b>` and `max_cpu(A, B)` but not ` alone")
    source = html.render(samples.make(lambda check: samples.passed(check, outcome=Outcome.FAILED, finding=finding)))
    assert "<code>&lt;b&gt;</code> and <code>max_cpu(A, B)</code> but not ` alone" in source


@each(
    "text",
    *("72 to 91", "10 points of report.explanation: given by a TA."),
    "create_batches returned 6 batches, and 7 are right: the last 4 samples are lost.",
    *("7 batches: 16, 16, 16, 16, 16, 16, 4 samples", "6 batches: 16, 16, 16, 16, 16, 16 samples"),
    *("When the samples do not divide evenly, the last batch holds what remains.", "utils.py:50", "✗ failed"),
    *("exp overflows at x = -1000, which prints a warning.", "max_cpu is 1.9 times slower than the staff's loop."),
    *("[38.6, 43.1]", "epoch 1: 91.4", "took 11.8 s, 11.2 s of it in the submission"),
    *("gpu: a real GPU", "bubblewrap + seccomp", "NVIDIA H200", "20251215", "numba 0.68.1"),
    *("The files lie in one folder hw1/ inside the zip.", "The worker lost its shared memory."),
    *("95 % needed", "Best times (logarithmic scale)", "38.6", "40 needed"),
)
def test_the_page_says(text):
    assert text in page_of(samples.mixed()).text


def test_the_first_step_is_said_failures_come_first_and_what_fails_eight_checks_is_said_once():
    page = page_of(samples.template())
    assert "Start with utils.sigmoid: sigmoid raised NotImplementedError." in page.text
    assert ("href", "#utils.sigmoid") in page.attributes
    page = page_of(samples.unreadable_utils())
    assert "Start with utils.py, line 36: Importing utils.py raised SyntaxError" in page.text
    assert page.text.count("Importing utils.py raised SyntaxError") == 2
    assert page.text.count("The same as utils.sigmoid.") == 7
    assert page.attributes.count(("href", "#utils.sigmoid")) == 8
    report = samples.mixed()
    source = html.render(report)
    assert source.index('id="utils.create_batches"') < source.index('id="utils.sigmoid"')
    assert source.count(" open>") == sum(one.outcome in {Outcome.FAILED, Outcome.ERROR} for one in report.results)
    assert html.render(samples.template()).count(" open>") == 1


def test_a_refused_hand_in_has_its_reason_once_and_no_list_of_zeros_and_no_name_stands_twice():
    page = page_of(samples.refused())
    assert "leaves the folder, so nothing was opened" in page.text
    assert "details" not in page.tags
    assert not {value for name, value in page.attributes if name == "id"} & {"urgent"}
    report = replace(samples.full_marks(), students=("Dana Levi (hw1_12345.zip)", "Gil"))
    assert page_of(report).text.count("hw1_12345.zip") == 1 + 1  # the page's title names the student, too
    bare = replace(report.evidence, submission=replace(report.evidence.submission, sha256="", files=()))
    assert "sha256" not in page_of(replace(report, evidence=bare)).text
    assert "hw1_12345.zip sha256 ab12ab12ab12" in " ".join(page_of(samples.full_marks()).text.split())


def test_a_provisional_report_a_selection_and_for_staff_hidden_checks_say_so_and_the_ring_what_is_open():
    rows = tuple(replace(row, visibility="after_due_date") for row in samples.RUBRIC.criteria)
    assert "after due date" in page_of(score(samples.mixed().evidence, replace(samples.RUBRIC, criteria=rows))).text
    assert "after due date" not in page_of(samples.mixed()).text
    assert "provisional" in page_of(samples.full_marks()).text
    assert ("stroke-dasharray", "17.0 83.0") in page_of(samples.full_marks()).attributes, "what is open of the ring"
    assert "rovisional" not in page_of(samples.template()).text
    assert "Only 2 of 28 checks ran" in page_of(samples.selected()).text


def test_what_a_ta_gave_is_shown_and_only_staff_read_who():
    report = samples.mixed()
    marked = replace(report.results[-2], mark=Mark("1", "report.explanation", 8, "clear & short", by="somebody"))
    late = Adjustment("late", -10, -10, "2 days late", by="somebody else")
    report = replace(report, results=(*report.results[:-2], marked, report.results[-1]), adjustments=(late,))
    for text in ("A TA gave 8 points", "clear & short", "late: -10 points. 2 days late"):
        assert text in page_of(report, html.render).text
    assert "somebody" not in html.render(report)
    assert "(somebody)" in page_of(report).text
    assert "(somebody else)" in page_of(report).text


@pytest.fixture
def templates(tmp_path, monkeypatch):
    """Return a folder that stands for the one of the templates."""
    monkeypatch.setattr(html, "TEMPLATES", tmp_path)
    return tmp_path


def test_compiled_templates_are_kept_beside_them(templates):
    environment = html.environment.__wrapped__()
    name = environment.get_template("plots.html").name
    assert len(list(templates.glob("__pycache__/*"))) == 1
    source, path, _ = environment.loader.get_source(environment, name)
    assert environment.bytecode_cache.get_bucket(environment, name, path, source).code


def test_a_place_that_cannot_be_written_costs_nothing_but_time(templates):
    (templates / "__pycache__").write_text("a file, where the folder would be")
    environment = html.environment.__wrapped__()
    assert environment.bytecode_cache is None
    assert environment.get_template("plots.html").name == "plots.html"
