"""Which hand-ins are alike: copies under other names are found, and those who only follow the sheet are not."""

import random
import re

import handins
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.similarity import Equal, compare, digest_of, find_equal, find_pairs
from grader.errors import UsageError

TEMPLATE = {name: (handins.TEMPLATE / name).read_text("utf-8") for name in handins.SOURCES}
REFERENCE = {name: (handins.REFERENCE / name).read_text("utf-8") for name in handins.SOURCES}
OWN = """
def create_batches(data, labels, batch_size):
    parts, start = [], 0
    while start < len(data):
        stop = min(start + batch_size, len(data))
        parts.append((data[start:stop], labels[start:stop]))
        start = stop
    if not parts and len(labels) > 0:
        raise ValueError("no data for these labels", len(labels), batch_size)
    return parts
"""
OTHER = """
import itertools

def create_batches(data, labels, batch_size):
    pairs = zip(data, labels)
    rest = lambda: list(itertools.islice(pairs, batch_size))
    return [(np.array([x for x, _ in chunk]), np.array([y for _, y in chunk])) for chunk in iter(rest, [])]
"""


def disguised(text):
    """Return the same code with other names, comments and layout."""
    text = re.sub(r"\b(data|labels|parts|start|stop)\b", lambda match: f"my_{match[1]}_2", text)
    return text.replace("while", "# a comment\n    while").replace("\n", "   # x\n\n").replace("no data", "nothing")


def test_copies_under_other_names_and_files_equal_but_for_layout_are_found_and_other_names_or_texts_not():
    (pair,) = find_pairs({"a": {"utils.py": OWN}, "b": {"utils.py": disguised(OWN)}, "c": {"utils.py": OTHER}}, {})
    assert (pair.first, pair.second) == ("a", "b")
    (overlap,) = pair.overlaps
    assert overlap.share > 0.9
    assert not overlap.is_identical
    assert set(overlap.first.lines) >= set(range(4, 9))
    assert all(1 <= line <= disguised(OWN).count("\n") + 1 for line in overlap.second.lines)
    (pair,) = find_pairs({"a": {"utils.py": disguised(OWN)}, "b": {"utils.py": OWN + REFERENCE["utils.py"]}}, {})
    assert pair.overlaps[0].second.share < 0.5, "much was added to the copy"
    (pair,) = find_pairs({"a": {"utils.py": OWN}, "b": {"utils.py": OWN.replace("\n", " \n")}}, {})
    assert pair.overlaps[0].is_identical
    everybody = {f"s{number}": {"utils.py": laid_out(OWN) if number % 2 else OWN} for number in range(8)}
    assert find_equal({**everybody, "other": {"utils.py": OTHER}}, {}) == (Equal("utils.py", tuple(everybody)),)
    changes = (("parts", "pieces"), ("no data", "nothing"), ("start = stop", "pass"))
    texts = [OWN, *(OWN.replace(old, new) for old, new in changes)]
    assert find_equal({str(number): {"utils.py": text} for number, text in enumerate(texts)}, {}) == ()


def laid_out(text):
    """Return the same code with other comments, indentation, line ends and spaces between lines."""
    return "# mine\r\n" + text.replace("    ", "  ").replace("\n", "  # why\r\n\r\n").replace(", ", ",  ")


def test_the_template_and_tiny_files_are_nobodys_work():
    assert find_equal({"a": TEMPLATE, "b": {name: laid_out(text) for name, text in TEMPLATE.items()}}, TEMPLATE) == ()
    assert find_equal({"a": {"utils.py": "import numpy\n"}, "b": {"utils.py": "import numpy\n"}}, {}) == ()
    handed_in = {"a": TEMPLATE, "b": TEMPLATE, "c": {**TEMPLATE, "utils.py": TEMPLATE["utils.py"] + OTHER}}
    assert find_pairs(handed_in, TEMPLATE) == ()
    handed_in["d"] = {**TEMPLATE, "utils.py": TEMPLATE["utils.py"] + disguised(OTHER)}
    assert [(pair.first, pair.second) for pair in find_pairs(handed_in, TEMPLATE)] == [("c", "d")]


def test_a_file_that_is_no_python_is_compared_by_its_words_and_the_digest_follows_text_and_owner():
    broken = OWN + "\n)"
    found = find_equal({"a": {"utils.py": broken}, "b": {"utils.py": broken.replace("\n", "\n\n")}}, {})
    assert found == (Equal("utils.py", ("a", "b")),)
    handed_in = {"a": {"utils.py": OWN}, "b": {"utils.py": OTHER}}
    assert compare(handed_in, TEMPLATE).digest == digest_of(handed_in, TEMPLATE)
    others = ({**handed_in, "c": {}}, {"b": handed_in["a"], "a": handed_in["b"]}, {"a": {"utils.py": OWN + "#"}})
    assert len({digest_of(each, TEMPLATE) for each in (handed_in, *others)} | {digest_of(handed_in, {})}) == 5


def test_what_many_have_does_not_count_the_list_is_bounded_and_a_class_gives_the_same_pairs_in_any_order():
    everybody = {f"s{number}": {"utils.py": OWN} for number in range(8)}
    assert find_pairs(everybody, {}) == ()
    (pair,) = find_pairs({**everybody, **{key: {"utils.py": OWN + OTHER} for key in ("x", "y")}}, {})
    assert (pair.first, pair.second) == ("x", "y")
    handed_in = {"a": REFERENCE, "b": REFERENCE, "c": {**REFERENCE, "utils.py": OWN}, "d": {"utils.py": OWN + OTHER}}
    pairs = find_pairs(handed_in, {}, most=2)
    assert (len(pairs), (pairs[0].first, pairs[0].second)) == (2, ("a", "b"))
    assert [overlap.name for overlap in pairs[0].overlaps] == ["matmul_functions.py", "max_functions.py", "utils.py"]
    texts = enumerate([OWN, disguised(OWN), OTHER, OWN + OTHER, *REFERENCE.values()])
    rows = [(f"s{number}", {"utils.py": text}) for number, text in texts]
    expected = find_pairs(dict(rows), TEMPLATE)
    random.Random(1).shuffle(rows)
    assert find_pairs(dict(rows), TEMPLATE) == expected
    assert expected


@settings(deadline=None, max_examples=examples(30))
@given(st.lists(st.one_of(st.text(max_size=300), st.sampled_from(["", "x", "(" * 9000, OWN])), max_size=4))
def test_no_text_is_too_strange(texts):
    pairs = find_pairs({str(number): {"utils.py": text} for number, text in enumerate(texts)}, TEMPLATE)
    for pair in pairs:
        assert 0 < pair.share <= 1
    find_equal({str(number): {"utils.py": text} for number, text in enumerate(texts)}, TEMPLATE)


def test_without_copydetect_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "copydetect", None)
    with pytest.raises(UsageError, match=r"needs copydetect: .* -m pip install --editable '\.\[staff\]'"):
        find_pairs({"a": {"utils.py": OWN}, "b": {"utils.py": OWN}}, {})
