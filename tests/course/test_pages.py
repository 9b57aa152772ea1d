"""The page of a class: every student, every check, and nothing that a name or a message could become."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
from parsed_pages import Page
from sample_batches import make_batch
from sample_classes import make_class

from grader.course import pages
from grader.course.grades.graded import BatchResults, grades_csv, load_batch
from grader.course.grades.sheets import write_sheets
from grader.course.model import write_record
from grader.course.pages import render_index, render_list, render_pair, write_pages
from grader.course.people import Roster, Student
from grader.course.similarity import Equal, Overlap, Pair, Side, Similarities, read_similarities
from grader.model import LateRule, Mark, Outcome, Submission

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'\u202e"


@pytest.fixture(scope="module")
def standing(tmp_path_factory) -> BatchResults:
    return load_batch(make_class(tmp_path_factory.mktemp("class"), 40))


def with_report(one, report):
    """Return a graded hand-in whose students have another report."""
    return replace(one, reports=dict.fromkeys(one.reports, report))


def rows_of(page):
    return re.findall(r"<tr[ >].*?</tr>", page.partition("<tbody>")[2], re.DOTALL)


def test_every_student_has_one_row_with_links_and_not_compared_yet_and_nothing_alike_are_two_sentences(standing):
    rows = rows_of(render_index(standing))
    assert len(rows) == 41
    for graded in standing.graded:
        (student,) = graded.handin.students
        (row,) = [row for row in rows if student.id in row]
        assert f"submissions/{graded.handin.key}/staff.html" in row
        assert f"submissions/{graded.handin.key}/report.html" in row
    assert sum("nothing handed in" in row for row in rows) == 1
    assert render_index(standing) == render_index(standing)
    assert "Not compared yet" in render_index(standing)
    page = render_index(standing, Similarities(compared=40))
    assert "40 hand-ins were compared, and nothing is alike." in page
    assert "Not compared yet" not in page


def test_partners_have_a_row_each_and_a_batch_of_every_kind_is_shown(tmp_path):
    page = render_index(load_batch(make_batch(tmp_path)))
    assert len(rows_of(page)) == 6
    assert 'data-t="flagged provisional' in page
    assert "refused" in page
    assert "דנה כהן" in page


def test_hostile_names_and_warnings_stay_texts(tmp_path):
    standing = load_batch(make_class(tmp_path, 3))
    students = (Student("300000000", HOSTILE, HOSTILE),)
    graded = replace(standing.graded[0], handin=replace(standing.graded[0].handin, students=students))
    roster, key = Roster((graded.handin,), warnings=(HOSTILE,)), graded.handin.key
    pair = Pair(key, key, (Overlap("utils.py", Side(1.0, (1,)), Side(1.0, (1,)), 200, is_identical=True),))
    standing = replace(standing, roster=roster, graded=(graded,), damaged=((graded.handin, HOSTILE),))
    texts, names = {key: {"utils.py": HOSTILE}}, {key: HOSTILE}
    similar = Similarities((pair,), (Equal("utils.py", (key, key)),))
    pages = [render_index(standing, similar), render_list(similar, names), render_pair(pair, texts, names)]
    for page, scripts in zip(pages, (1, 0, 0), strict=True):
        found = Page(page)
        assert found.tags.count("script") == scripts
        assert "img" not in found.tags
        assert not [name for name, _ in found.attributes if name.startswith("on") or name in {"src", "style"}]
        assert "&lt;script&gt;" in page
        assert "\u202e" not in page


def test_the_policy_allows_one_style_and_one_script_and_without_speeds_there_is_no_column_for_them(standing):
    page = render_index(standing)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    for tag in ("style", "script"):
        text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "speed-up" in render_index(standing).split("<tbody>")[0]
    unmeasured = []
    for one in standing.graded:
        rows = (replace(result, criterion=replace(result.criterion, threshold=None)) for result in one.report.results)
        unmeasured.append(with_report(one, replace(one.report, results=tuple(rows))))
    assert "peed-up" not in render_index(replace(standing, graded=tuple(unmeasured))).split("<h2")[-1]


def test_the_page_of_300_students_is_small(tmp_path):
    assert len(render_index(load_batch(make_class(tmp_path, 300))).encode()) < 500_000


def shapes(chart, tag):
    return [one.numbers for one in chart.shapes if one.tag == tag]


def counts_of(chart):
    """Return how many hand-ins each bin of a histogram has, as a pointer is told."""
    return [int(one.words.partition(": ")[2]) for one in chart.shapes if one.kind == "unsure"]


def test_charts_count_every_hand_in_and_rates_point_at_a_check_that_most_fail_or_on_which_we_do(standing):
    reports = [one.report for one in standing.graded]
    chart = pages.histogram(reports, standing.rubric.total)
    assert sum(counts_of(chart)) == len(reports)
    assert all(bar["y"] >= 0 and bar["y"] + bar["height"] <= chart.height for bar in shapes(chart, "rect"))
    assert pages.histogram([], 100).title == ""
    (chart,) = pages.speeds([one.report for one in standing.graded])
    assert chart.title == "max.gpu.speedup"
    (bound,) = (one.numbers["x1"] for one in chart.shapes if one.kind == "needed")
    assert all(one.numbers["cx"] >= bound for one in chart.shapes if one.kind == "dot reached")
    assert all(0 <= dot["cx"] <= chart.width for dot in shapes(chart, "circle"))
    rates = {rate.row.id: rate for rate in pages.rates(reports, standing.rubric)}
    for rate in rates.values():
        assert rate.passed + rate.failed + rate.skipped + rate.open == pytest.approx(100)
    assert not rates["utils.sigmoid"].is_suspicious
    ends = ((Outcome.FAILED, len(reports), True), (Outcome.ERROR, 1, False), (Outcome.ERROR, 4, True))
    for outcome, count, said in ends:
        made = [replace(one, results=(replace(one.results[0], outcome=outcome), *one.results[1:])) for one in reports]
        assert pages.rates([*made[:count], *reports[count:]], standing.rubric)[0].is_suspicious is said


@pytest.mark.parametrize(("score", "place"), [(0, 0), (4.9, 0), (5, 1), (99.9, 19), (100, 19), (105, 19)])
def test_a_score_stands_in_its_bin(standing, score, place):
    report = replace(standing.graded[0].report, score_low=score, score_high=score)
    assert counts_of(pages.histogram([report], 100)).index(1) == place


def test_a_marked_check_is_no_longer_undecided_and_lateness_is_said_with_what_counts(standing):
    one = standing.graded[0]
    results = tuple(replace(result, mark=Mark("1", result.criterion.id, 1)) for result in one.report.results)
    marked = with_report(one, replace(one.report, results=results))
    assert "inconclusive" not in rows_of(render_index(replace(standing, graded=(marked,))))[1]
    student = one.handin.students[0].id
    row = next(row for row in rows_of(render_index(with_days(standing, student, 1.3827, LateRule()))) if student in row)
    assert "1 day 9 h late: counts as 2" in row
    assert 'data-v="1.3827"' in row, "sorted by the number"
    assert "1 day 9 h late<" in "".join(rows_of(render_index(with_days(standing, student, 1.3827, None))))


def test_pairs_are_recorded_and_read_again_and_a_damaged_record_counts_as_none(tmp_path):
    store = make_class(tmp_path, 2)
    standing = load_batch(store)
    first, second = (one.handin.key for one in standing.graded)
    assert read_similarities(store) is None
    pair = Pair(first, second, (Overlap("utils.py", Side(0.9, (1, 2)), Side(0.8, (3,)), 150, is_identical=False),))
    write_pages(store, standing, Similarities((pair,), compared=2))
    assert read_similarities(store) == Similarities((pair,), compared=2)
    page = (tmp_path / "similarity" / "001.html").read_text("utf-8")
    assert page.count('class="alike"') == 3
    assert page.count('href="#left-1"') == page.count('id="left-1"') == 1
    assert page.count('href="#right-1"') == page.count('id="right-1"') == 1
    write_record(tmp_path / "similarity.json", {"pairs": 1})
    assert read_similarities(store) is None


def test_a_flag_is_found_by_the_filter_and_what_was_not_graded_makes_no_check_look_broken(tmp_path):
    standing = load_batch(make_batch(tmp_path))
    first = standing.graded[0]
    twin = replace(first, handin=replace(first.handin, flags=("the same content as another",)))
    batches = [replace(standing, graded=(one, *standing.graded[1:])) for one in (first, twin)]
    before, after = (rows_of(render_index(batch)) for batch in batches)
    assert 'data-t="flagged' not in before[0]
    assert 'data-t="flagged' in after[0]
    evidence = replace(first.evidence, submission=Submission("x", ""), run=replace(first.evidence.run, notes=("why",)))
    failed = tuple(replace(result, outcome=Outcome.ERROR) for result in first.report.results)
    lost = replace(with_report(first, replace(first.report, results=failed)), evidence=evidence)
    assert lost.ungraded == "why"
    only = replace(standing, graded=(lost,))
    assert "look at this check" not in render_index(only)
    assert "look at this check" in render_index(replace(only, graded=(replace(lost, evidence=first.evidence),)))


def test_files_with_the_same_code_are_flagged_everywhere(tmp_path):
    store = make_class(tmp_path, 3)
    first, second, third = (one.handin.key for one in load_batch(store).graded)
    before = {one.handin.key: one.handin.flags for one in load_batch(store).graded}
    write_pages(store, load_batch(store), Similarities(equal=(Equal("utils.py", (first, third)),), compared=3))
    standing = load_batch(store)
    flags = {one.handin.key: one.handin.flags[len(before[one.handin.key]) :] for one in standing.graded}
    label = {one.handin.key: one.handin.students[0].label for one in standing.graded}
    assert flags == {
        first: (f"utils.py: the same code as {label[third]}, but for layout and comments",),
        second: (),
        third: (f"utils.py: the same code as {label[first]}, but for layout and comments",),
    }
    assert "The same code, but for layout and comments" in render_index(standing, read_similarities(store))
    assert f"the same code as {label[first]}" in grades_csv(standing).decode()


def with_days(standing, student, days, rule):
    one = next(one for one in standing.graded if student in one.days)
    late = replace(one, days={**one.days, student: days})
    graded = tuple(late if each is one else each for each in standing.graded)
    return replace(standing, graded=graded, rubric=replace(standing.rubric, late=rule))


REFRESH = '<meta http-equiv="refresh" content="10">'


@pytest.fixture
def running(tmp_path):
    """A class of five, of whom one is not graded yet."""
    made = make_class(tmp_path, 5)
    made.evidence("hw1_300000037").unlink()
    return made


def text(store):
    return (store.root / "index.html").read_text("utf-8")


def test_a_page_of_a_running_batch_shows_what_is_graded_and_how_far_it_is_until_the_last_writing(running):
    pages.LivePage(running).renew("4 of 5 done, 1 running <b>")
    assert REFRESH in text(running)
    assert "4 of 5 done, 1 running &lt;b&gt;" in text(running)
    assert "1 not graded yet" in text(running)
    write_sheets(running)
    assert REFRESH not in text(running)
    assert "This batch is running" not in text(running)


def test_a_page_of_a_running_batch_is_renewed_after_a_while_and_not_for_every_hand_in(running, monkeypatch):
    now_s = [100.0]
    monkeypatch.setattr(pages.time, "monotonic", lambda: now_s[0])
    page = pages.LivePage(running)
    page.renew("1 of 5 done")
    page.renew("2 of 5 done")
    assert "1 of 5 done" in text(running)
    now_s[0] += pages.PAUSE_S + 1
    page.renew("3 of 5 done")
    assert "3 of 5 done" in text(running)


def test_what_cannot_be_read_does_not_stop_the_batch(running):
    running.marks.write_text("{")
    pages.LivePage(running).renew("4 of 5 done")
    assert not (running.root / "index.html").exists()
