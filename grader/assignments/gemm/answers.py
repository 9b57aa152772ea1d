"""What the checks of the network and of the operations demand of a scenario's answer."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.assignments.gemm import recipe, steps
from grader.assignments.gemm.products import Product
from grader.authoring import Array, Inconclusive, Note, NotMeasured, WorkerError, expect, fail, hinted
from grader.authoring.judges import makers
from grader.authoring.judges.loops import PRODUCTS
from grader.authoring.judges.scenarios import Launched, SceneRun, Watched
from grader.authoring.judges.substitutes import Runner

_PRODUCTS = tuple(f"numpy.{name}" for name in (*PRODUCTS, "convolve", "multiply of all pairs"))
GEMM = "gemm.gemm"
NOTHING: Mapping[str, Any] = {}
Wanted = tuple[Sequence[Array], Sequence[Array]]
"""Forms of a product (transposed, with what is added to it), and the arrays of which `gemm` has to read one."""
ORDERS = "CC", "FC", "CF"
"""How A and B lie in memory, by rows or by columns: `gemm` may use other kernels where one of them was transposed."""
SHARE = 1e-5
"""How far an entry may be off, as a share of the largest entry. Sums in float32 stay within it, in any order."""
MOST = 0.5
"""An array is a factor if more than this share of its numbers is the factor's: rows of ones may stand beside them."""


def kernels_of_gemm(runner: Runner, products: Sequence[Product]) -> frozenset[str]:
    """Return file and line of the kernels that `gemm` launches, by whichever step; the staff's if it replaces `gemm`.

    Raises:
        WorkerError: the grader failed.
        Inconclusive: no step could be followed.
    """
    places: set[str] = set()
    unknown: Exception | None = None
    others = () if GEMM in runner.replaced else recipe.STEPS
    each = [*itertools.product([recipe.GEMM], products, ORDERS), *itertools.product(others, products, ORDERS[:1])]
    for step, product, orders in each:
        try:
            args = orders, step, *product.args
            run = runner.run((recipe.SCENARIOS, "multiply_ordered"), args, [("gemm", step)], "`gemm`")
            launches = steps.compare(run, product, [], Note(), steps.owner(step)).seen.launches
        except WorkerError:
            raise
        except (Inconclusive, NotMeasured) as error:
            unknown = error
        except Exception:  # noqa: BLE001, S112 - the check of this step says what is wrong with it
            continue
        else:
            places.update(launch.code for launch in launches)
    if unknown and not places:
        raise unknown
    return frozenset(places)


def expect_near(
    run: SceneRun,
    right: Mapping[str, Array],
    note: Note,
    *owners: str,
    mistakes: Mapping[str, Mapping[str, Array]] = NOTHING,
    hints: Mapping[str, str] = NOTHING,
) -> Watched:
    """Return a run whose arrays are right up to round-off; for `owners` see `Run.compared`.

    `mistakes` and `hints` are given by the name of the array; a hint is for an array with no known mistake.
    """

    def compare(results: dict[str, Any]) -> None:
        for name, value in right.items():
            limit, subject = SHARE * float(np.abs(value).max()), f"{run.subject}: {name}"
            with hinted(hints.get(name, "")):
                expect(subject, results.get(name), value, atol=limit, mistakes=mistakes.get(name))

    return run.compared(compare, note, *owners)


def expect_products(
    run: Watched, kernels: frozenset[str], wanted: Mapping[str, Wanted], note: Note, *, is_only_way: bool = True
) -> None:
    """Fail unless launches of gemm's `kernels` compute products, each at once or in blocks; `wanted` has their names.

    Flag a product if its launches read none of its factors. Unless `is_only_way`, also flag launches that read other
    large arrays beside two given factors; and raise `Inconclusive` if they read a factor, but leave another product.
    """
    own = [launch for launch in run.seen.launches if launch.code in kernels]
    for words, (forms, factors) in wanted.items():
        made_by = [launches for form in forms if (launches := makers.find_makers(run.seen.launches, form))]
        if by_gemm := [launches for launches in made_by if all(launch.code in kernels for launch in launches)]:
            may_be_more = is_only_way or len(factors) == 1
            if not any(all(_multiplies(one, own, factors, may_be_more) for one in launches) for launches in by_gemm):
                note.flag(f"{run.subject}: for {words} `gemm` multiplies other numbers than those that were given")
            continue
        places = {code.partition(" ")[0] for code in kernels}
        if any(all(launch.place in places for launch in launches) for launches in made_by):
            raise Inconclusive(
                f"{run.subject}: a kernel of `gemm` computes {words}, made with other functions than those that "
                "multiply matrices. A TA should read it."
            )
        if not is_only_way and not made_by and any(_has_factor([launch], factors) for launch in own):
            raise Inconclusive(
                f"{run.subject}: `gemm` multiplies numbers that were given, but leaves {words} in no array. A TA "
                "should read whether the result is put together from other products."
            )
        if made_by:
            got = f"`{made_by[0][0].kernel}` ({made_by[0][0].place}) computes it"
        else:
            got = f"launched: {', '.join(sorted({launch.kernel for launch in run.seen.launches})) or 'nothing'}"
        fail(
            f"{run.subject}: your `gemm` does not compute {words}.",
            expected=f"a launch of {', '.join(sorted(kernels)) or 'its kernels'} that leaves it in an array",
            got=got,
            hint="Call `gemm` for each product of matrices.",
        )


def flag_other_sums(run: Watched, kernels: frozenset[str], given: Sequence[Array], note: Note) -> None:
    """Tell a TA if `gemm` adds its product to an array that the host made and that was not `given`."""
    written = [array for launch in run.seen.launches for array in launch.changed()]
    for launch in (launch for launch in run.seen.launches if launch.code in kernels):
        is_mixed = any(token.startswith("mixed: ") for token in launch.given)
        begun = [old for old, new in zip(launch.before, launch.after, strict=True) if not np.array_equal(old, new)]
        if is_mixed and not all(_is_a_start(array, [*given, *written]) for array in begun):
            note.flag(f"{run.subject}: `gemm` adds its product to numbers that the host made")


def _is_a_start(array: Array, known: Sequence[Array]) -> bool:
    """Return whether a product may be added to an array: one with equal rows or columns, or one of `known`.

    An array that holds NaN is memory that nobody has written.
    """
    alike = [np.ptp(array, axis=axis) for axis, length in enumerate(array.shape) if length > 1 and array.size]
    is_even = not np.isfinite(array).all() or any(not spread.any() for spread in alike)
    return is_even or array.size <= 1 or any(makers.holds(array, other) for other in known)


def _kept(launch: Launched) -> list[Array]:
    """Return the arrays that a launch gets and does not change."""
    return [old for old, new in zip(launch.before, launch.after, strict=True) if np.array_equal(old, new)]


def _has_factor(chain: Sequence[Launched], factors: Sequence[Array]) -> bool:
    """Return whether a launch of a chain gets an array with a factor's numbers, and does not change it."""
    return any(_is_of(array, factor) for launch in chain for array in _kept(launch) for factor in factors)


def _multiplies(launch: Launched, own: Sequence[Launched], factors: Sequence[Array], may_be_more: bool) -> bool:
    """Return whether `gemm` reads a factor in a launch or its chain; other large arrays only if there `may_be_more`."""
    large = [array for array in _kept(launch) if array.size > makers.SMALL and not makers.is_uniform(array)]
    is_all = may_be_more or all(any(_is_of(array, factor) for factor in factors) for array in large)
    return is_all and _has_factor(makers.find_chain(own, launch), factors)


def _is_of(array: Array, other: Array) -> bool:
    """Return whether most numbers of an array are another's, up to a factor; False for one of zeros and ones only."""
    numbers = array[array != 0].astype(float)
    if not numbers.size or not np.ptp(np.abs(numbers)):
        return False
    scale = float(np.abs(other).max() / np.abs(numbers).max())
    near = (np.isclose(factor * numbers[:, None], other.ravel()).any(axis=1) for factor in (1.0, scale, -scale))
    return any(one.mean() > MOST for one in near)


def expect_no_product_of_numpy(run: Watched, keys: Sequence[str]) -> None:
    """Fail if NumPy multiplied matrices on the way to a result."""
    of_kernels = frozenset(token for launch in run.seen.launches for token in launch.given)
    for key in keys:
        for token in sorted(run.seen.came_from.get(key, frozenset()) | of_kernels):
            if any(name in token for name in _PRODUCTS):
                fail(
                    f"{run.subject}: NumPy multiplies for {key}, by {token.removeprefix('mixed: ')}.",
                    hint="Arrange the numbers on the host if you like, and let `gemm` multiply.",
                )
