"""Names of NumPy: which lead away, and what each does to the numbers of arrays."""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def table(text: str) -> dict[str, frozenset[str]]:
    """Return module -> names of a text, in which the names stand behind each module, and further in below it."""
    _, *entries = re.split(r"^ {4}(\S+):", text, flags=re.MULTILINE)
    return {module: words(names) for module, names in zip(entries[::2], entries[1::2], strict=True)}


NUMPY_DENIED = words("""
    DataSource ScalarType asmatrix bmat char common_type core ctypeslib f2py from_dlpack fromfile fromregex genfromtxt
    get_include getbufsize geterrcall info load loadtxt ma matrix memmap nested_iters poly1d polynomial rec recarray
    record save savetxt savez savez_compressed sctypeDict setbufsize seterrcall show_config show_runtime strings test
    typename flatiter busdaycalendar apply_over_axes
""")
"""What reads files, runs code of others, or makes arrays of kinds that are not observed."""

NUMPY_PARTS = table("""
    random: Generator MT19937 PCG64 Philox RandomState SFC64 SeedSequence default_rng exponential normal permutation
        rand randint randn random random_sample seed standard_normal uniform choice shuffle integers
    linalg: LinAlgError norm inv solve det multi_dot matmul eigvalsh eigh eigvals
    testing: assert_allclose assert_almost_equal assert_array_almost_equal assert_array_equal assert_equal
    fft: fft ifft rfft irfft fft2 ifft2
    lib: stride_tricks
    lib.stride_tricks: as_strided sliding_window_view
""")
"""Modules of NumPy that slices may use, and the names in them."""

ARRAY_ATTRIBUTES = words("""
    T all any argmax argmin argpartition argsort astype byteswap choose clip compress conj conjugate copy cumprod cumsum
    device diagonal dot dtype fill flags flat flatten imag item itemsize mT max mean min nbytes ndim nonzero partition
    prod put ravel real repeat reshape resize round searchsorted shape size sort squeeze std strides sum swapaxes take
    tolist trace transpose var view c_contiguous f_contiguous contiguous writeable owndata kind char itemset
    names fields subdtype type reduce accumulate outer at reduceat coords name num isnative aligned
""")
"""Attributes of arrays, their types and flags, and of ufuncs."""

LAYOUT = words("""
    array asarray asanyarray ascontiguousarray asfortranarray copy reshape ravel transpose permute_dims swapaxes
    moveaxis rollaxis concatenate concat stack hstack vstack dstack column_stack row_stack block append split
    array_split hsplit vsplit dsplit unstack pad tile repeat roll flip fliplr flipud rot90 expand_dims squeeze
    broadcast_to broadcast_arrays atleast_1d atleast_2d atleast_3d zeros_like empty_like ones_like full_like triu tril
    diag diagonal diagflat resize copyto put place fill_diagonal require insert delete take put_along_axis astype
    frombuffer fromiter real imag matrix_transpose shape size ndim iscomplexobj isrealobj result_type can_cast
    may_share_memory shares_memory asarray_chkfinite array_str array_repr array2string trim_zeros flatten byteswap view
    sliding_window_view tolist tobytes item itemset fill setflags getfield mT T conj conjugate
""")
"""Functions and methods that put numbers elsewhere and leave them as they are."""

ELEMENTWISE = words("""
    around round clip fix nan_to_num real_if_close angle i0 sinc where isclose iscomplex isreal isneginf isposinf
""")
"""Functions of one array that treat each entry by itself; of two, they bring numbers together."""

CREATING = words("""
    zeros ones empty full arange linspace logspace geomspace eye identity tri indices fromfunction meshgrid tril_indices
    triu_indices diag_indices ndarray random rand randn randint normal uniform
""")
"""Functions that make arrays of nothing that they are given."""
