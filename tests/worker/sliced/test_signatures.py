"""Which texts are signatures: Numba executes all that it is given."""

import pytest
from rows import each

from grader.worker.sliced import book, signatures

RIGHT = (
    "float64(float64)",
    "void(float64[:, ::1], int64[:])",
    "(int64[:], f8)",
    "float64[:](float64[:], int64)",
    "UniTuple(float64, 2)(List(int64), boolean)",
    "Tuple((int64, Array(float64, 2, 'C')))(i8)",
    "(m,n),(n)->(m)",
    "(),()->()",
    """
    void(
        float64[:])
    """,
)
WRONG = (
    "__import__('os')",
    "(print(1), float64(float64))[1]",
    "float64.__class__(float64)",
    "float64(lambda: 1)",
    "[float64 for _ in 'a']",
    "float64(exec)",
    "float64(f'{1}')",
    "np.float64(np.float64)",
    "float64(float64) if True else 1",
    "not a signature",
    "(__import__('os'))->(",
)


@each("text", RIGHT)
def test_types_are_a_signature(text):
    assert signatures.is_signature(text)


@each("text", WRONG)
def test_what_is_executed_is_none(text):
    assert not signatures.is_signature(text)


@pytest.mark.parametrize("args", [("print(1)",), (["float64(float64)", "print(1)"],), ((["print(1)"],),)])
def test_a_text_of_another_form_is_kept(args):
    book.open_book(book.Book())
    with pytest.raises(TypeError, match="a slice cannot compile for the signature"):
        signatures.expect_signatures(args, {})
    assert book.current.book.refused


def test_other_options_are_texts_of_any_kind():
    signatures.expect_signatures((), {"error_model": "numpy", "inline": "always", "signature": "float64(float64)"})
