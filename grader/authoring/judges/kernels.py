"""Whether kernels computed an answer.

Two judges of runs whose launches were recorded (`scenarios`):

    expect_from_kernels  the answers of a function come from kernels that it launches, in this call and in later ones
    expect_launch        a function launches one kernel as the sheet asks, and this kernel makes the answer

`expect_launched` and `expect_launches` judge which kernels a call launched, with how many blocks and threads.

Labels say where numbers come from; the contents of arrays before and after each launch show which launch wrote them.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np

from grader.authoring import Args, Array, CheckedCall, Inconclusive, Note, Observed, Solve, Student, StudentFault, fail
from grader.authoring.judges import loops, makers, scenarios, slices
from grader.authoring.judges.scenarios import Launched, Scene, Watched
from grader.worker.runs import SHOWN
from grader.worker.wire import Launch

Draw = Callable[[], Args]  # returns new arguments in every call: memory may still contain the answer for earlier ones
Right = tuple[Array, Array | float]  # the right answer, and how far each entry may be off

LATER_CALLS = 3
FEW_TOLD = 4  # numbers for a launch that computes one row, such as its index and the sizes of the matrix
MOST_UNTOUCHED = 2000  # a kernel that changes fewer than one in so many entries does none of the work
PARTLY = 0.4
"""A kernel that makes this share of the entries that are wrong at first does a large part of the work, such as half."""


def expect_from_kernels(
    student: Student, call: tuple[str, str], answer: CheckedCall, draw: Draw, solve: Solve, note: Note
) -> None:
    """Fail if the answers of a function do not come from the kernels that it launches, in this call and in later ones.

    Raises:
        StudentFault: the host, or a kernel that `vectorize` made, did the work, or later answers are wrong.
        Inconclusive: it was not observed what did the work, or the function cannot be followed.
    """
    student.judged.add(call)
    slices.expect_closed(student, call[0], [call[1]])
    _expect_label_of_kernels(call[1], answer.seen)
    _expect_written_kernels(call[1], answer.seen)
    loops.flag_reads(student, call, answer.seen.work, np.size(answer.value), note)
    words = f"`{call[1]}` is right at first, and wrong when it is called again with other numbers."
    args = draw()
    run = scenarios.watch(student, call, args).compared(partial(makers.expect_right, solve(*args), words), note)
    expect_origin(student, call, args, run, solve(*args), note)
    expect_no_host_work(call[1], answer.seen, run.seen)
    for _ in range(LATER_CALLS):  # a function may count its calls
        args = draw()
        later = student.run(*call, args, record_launches=True, full=True)
        observed = later.compared(partial(makers.expect_right, solve(*args), words), note).seen
        expect_no_host_work(call[1], observed, run.seen)


def expect_origin(
    student: Student,
    call: tuple[str, str],
    args: Args,
    run: Watched,
    right: Right,
    note: Note,
    *,
    is_asked: bool = True,
) -> None:
    """Judge where the numbers of a run of `call` with `args` come from; raises as `expect_from_kernels`.

    With `is_asked`, a check knows that kernels must do all the work. Without, the work of the host beside kernels is
    left to a TA: the sheet may want it, such as the last sum of a reduction.
    """
    function, scene = call[1], run.seen
    note.fact("numbers_come_from", list(scene.work.label))
    _expect_label_of_kernels(function, scene, is_asked=is_asked)
    of_host = _expect_given_data(function, scene, is_asked=is_asked)
    if makers.find_first(scene.launches, right[0])[1] and not any(makers.has(np.asarray(it), right[0]) for it in args):
        raise Inconclusive(f"`{function}` gives its kernels an array that holds the answer. A TA should read it.")
    is_odd = "data" in of_host or slices.of_the_host(scene.work.label) or not _names_kernel(scene)
    if is_odd and scene.is_thinned:
        raise Inconclusive(f"`{function}` launches more than a record has room for. A TA should read it.")
    if is_odd:
        _expect_right_arrays(function, args, run, right, note, is_asked=is_asked)
    _expect_few_singles(function, scene, right[0].size)
    _expect_known_data(function, args, scene, of_host)
    if words := slices.find_old_values(student, call, args, run.value):
        slices.doubt(student, call, f"`{function}` is {words}", note)


def _expect_label_of_kernels(function: str, observed: Observed, *, is_asked: bool = True) -> None:
    """Fail if the label of an answer names work of the host, and no kernel."""
    certain = slices.of_the_host(observed.work.label) - (set() if is_asked else {"elements"})
    if (words := slices.host_work(certain - {"data"})) and not _names_kernel(observed):
        fail(
            f"The answer of `{function}` does not come from its kernels, but from {words}.",
            hint="Return the array that the kernel wrote.",
        )


def _expect_written_kernels(function: str, observed: Observed) -> None:
    """Fail if only kernels inside of ufuncs made an answer: the homework is to write a kernel."""
    made_by = {token for token in observed.work.label if token.startswith("kernel: ")}
    if made_by and made_by <= {*observed.work.compiled}:
        name = min(made_by).removeprefix("kernel: ")
        fail(
            f"The answer of `{function}` comes from `{name}`, which `vectorize` made, and from no kernel.",
            hint="Write a kernel with `@cuda.jit`, and launch it.",
        )


def _expect_given_data(function: str, scene: Scene, *, is_asked: bool = True) -> set[str]:
    """Fail if kernels got arrays that the host had worked on; return the tokens of the host in what they got."""
    of_host = slices.of_the_host(token for launch in scene.launches for token in launch.given)
    if words := slices.host_work(of_host - {"data"}):
        message = f"`{function}` gives its kernels what the host has worked on: {words}."
        if not is_asked:
            raise Inconclusive(f"{message} A TA should read it.")
        fail(message, hint="Give the kernel the data, and let it compute.")
    return of_host


def _expect_known_data(function: str, args: Args, scene: Scene, of_host: set[str]) -> None:
    """Raise `Inconclusive` if kernels got numbers of Python that neither the arguments nor earlier launches contain."""
    written: set[int] = set()
    """Ids of arrays that launches wrote, also in earlier calls; arrays with the same contents are one object."""
    for launch in scene.launches if "data" in of_host else ():
        written.update(map(id, launch.old))
        if not all(id(array) in written or makers.is_known(array, args) for array in launch.inputs()):
            raise Inconclusive(f"`{function}` gives its kernels numbers that Python computed. A TA should read it.")
        written.update(map(id, launch.after))


def _expect_few_singles(function: str, scene: Scene, entries: int) -> None:
    """Raise `Inconclusive` if kernels got so many numbers outside of whole arrays that these may be the answer."""
    loops.expect_no_leaks(scene.work, function, entries)
    numbers = scene.work.told
    if numbers > FEW_TOLD * math.isqrt(entries):
        what = f"{numbers} numbers one by one, or in small pieces"
        raise Inconclusive(
            f"`{function}` gives its kernels {what}, and nobody saw where they are from. A TA should read it."
        )


def expect_no_host_work(function: str, observed: Observed, known: Observed | None = None) -> None:
    """Raise `Inconclusive` if the host did the work of kernels in this call, and not in the `known` one."""
    if words := slices.host_work(slices.of_the_host(observed.tokens - (known.tokens if known else set())) - {"data"}):
        raise Inconclusive(f"In one of its calls `{function}` let the host do the work: {words}. A TA should read it.")


def _expect_right_arrays(
    function: str, args: Args, run: Watched, right: Right, note: Note, *, is_asked: bool = True
) -> None:
    """Judge an answer that did not come directly from a kernel, by the arrays that its kernels wrote."""
    share = _best_share(run.seen, right)
    note.fact("kernels_alone_right_percent", round(100 * share, 1))
    if share == 1:
        return
    by = slices.host_work(slices.of_the_host(run.seen.work.label) - {"data"}) or "Python objects"
    if share < _partly(args, right):
        message = f"The answer of `{function}` does not come from its kernels, but from {by}."
        if not is_asked:
            raise Inconclusive(f"{message} A TA should read it.")
        fail(message, hint="Return the array that the kernel wrote.")
    note.flag(f"the kernels of `{function}` alone get {100 * share:.0f} % right; the host does the rest ({by})")


def expect_launch(
    student: Student,
    call: tuple[str, str],
    kernel: str,
    counts: tuple[int, int],
    draw: Draw,
    solve: Solve,
    note: Note,
    owner: str,
) -> None:
    """Fail unless a function launches `kernel` as the sheet asks, and these launches make its answer.

    Half of the answer is enough, if symmetry gives the rest. `counts` are the blocks of a launch, and the threads of
    each block; `owner` is the id of the check that owns a wrong answer. If that check has failed and the call raises or
    does not end, only the counts are judged.

    Raises:
        StudentFault: the counts are wrong, other kernels or the host do the work, or this kernel does nothing.
        Inconclusive: kernels share the work in a way that only a person can judge, or they cannot be followed.
    """
    student.judged.add(call)
    args = draw()
    right = solve(*args)
    student.load(call[0])  # a file that cannot be imported launches nothing
    try:
        run = scenarios.watch(student, call, args)
    except StudentFault as fault:
        if note.passed.get(owner) is not False or not (launched := _launches_alone(student, call, args)):
            raise
        expect_counts(launched, kernel, *counts, note)
        note.flag(f"only the counts of `{kernel}`'s launches could be judged: {fault}")
        return
    checked = run.compared(partial(makers.expect_right, right, f"`{call[1]}` is wrong."), note, owner)
    expect_launches(checked, kernel, *counts, note)
    slices.expect_closed(student, call[0], [call[1], kernel])
    _expect_kernel_works(call[1], kernel, args, checked, right)
    if {launch.kernel for launch in checked.seen.launches} != {kernel}:
        if checked.seen.is_thinned:
            raise Inconclusive(f"`{call[1]}` launches more than a record has room for. A TA should read it.")
        _expect_own_share(student, call, kernel, checked.seen, [args, draw(), draw()], solve)
    slices.flag_doubts(student, call, note)


def _launches_alone(student: Student, call: tuple[str, str], args: Args) -> list[Launch]:
    """Return the launches of a function in a run in which no kernel runs; empty if that run cannot be observed."""
    try:
        report = slices.observe(student, slices.RUN_WITHOUT, (*call, args, "", True))
        return msgspec.convert(report["launches"], list[Launch])
    except (Inconclusive, msgspec.ValidationError):  # the latter if the report was forged
        return []


def _expect_kernel_works(function: str, kernel: str, args: Args, run: Watched, right: Right) -> None:
    """Judge whether the launches of `kernel` make the answer, or at least the half that gives the rest by symmetry."""
    scene = run.seen
    if sum(launch.count_changed() for launch in _launches_of(kernel, scene)) * MOST_UNTOUCHED < right[0].size:
        fail(
            f"`{kernel}` is launched by `{function}`, but changes none of the arrays that it is given, or hardly any "
            "entry.",
            hint="Each thread writes its part of the result into the kernel's last argument.",
        )
    of_host = _expect_given_data(function, scene)
    _expect_few_singles(function, scene, right[0].size)
    by_host = slices.of_the_host(scene.work.label) or not _names_kernel(scene)
    if by_host and makers.is_right(run.value, *right) and _best_share(scene, right) < _partly(args, right):
        fail(
            f"`{kernel}` does not make the answer of `{function}`: the host does.",
            hint=f"Let `{kernel}` compute the answer, and return what it wrote.",
        )
    _expect_known_data(function, args, scene, of_host)


def _expect_own_share(
    student: Student, call: tuple[str, str], kernel: str, scene: Scene, draws: Sequence[Args], solve: Solve
) -> None:
    """Judge the part of `kernel` in the work, beside other kernels; `scene` is the run with the first of `draws`."""
    args, args_without, args_alone = draws
    right = solve(*args)
    partly, before = _partly(args, right), _find_given(_launches_of(kernel, scene))
    if any(makers.share_right(array, *right) >= partly for array in before):
        fail(f"The answer is there before `{kernel}` runs: other kernels make it.", hint=f"Let `{kernel}` compute it.")
    without = slices.observe(student, slices.RUN_WITHOUT, (*call, args_without, kernel, False))
    if makers.share_right(without["value"], *solve(*args_without)) > max(1 - PARTLY, partly):
        fail(
            f"The launches of `{kernel}` do not make the answer of `{call[1]}`: other kernels do.",
            hint=f"Let `{kernel}` compute the answer.",
        )
    if all(makers.is_known(array, args) for array in before):
        return
    alone = slices.observe(student, slices.RUN_WITHOUT, (*call, args_alone, kernel, True))
    if makers.share_right(alone["value"], *solve(*args_alone)) < partly:
        raise Inconclusive(
            f"`{call[1]}` also launches other kernels, and `{kernel}` needs what these write. A TA should read it."
        )


def _find_given(own: Sequence[Launched]) -> list[Array]:
    """Return the arrays that the launches of one kernel got, without those that these launches wrote themselves."""
    first, *later = own
    left = {id(array) for launch in own for array in launch.after}
    return [*first.before, *(array for launch in later for array in launch.before if id(array) not in left)]


def _names_kernel(observed: Observed) -> bool:
    return any(token.startswith("kernel: ") for token in observed.work.label)


def _launches_of(kernel: str, scene: Scene) -> list[Launched]:
    return [launch for launch in scene.launches if launch.kernel == kernel]


def _best_share(scene: Scene, right: Right) -> float:
    """Return the largest share of right entries in an array that a launch wrote."""
    arrays = {id(array): array for launch in scene.launches for array in launch.after}
    return max((makers.share_right(array, *right) for array in arrays.values()), default=0.0)


def _partly(args: Args, right: Right) -> float:
    """Return which share of right entries counts as a part of the work; the arguments contain some already."""
    at_first = max(makers.share_right(arg, *right) for arg in args)
    return at_first + PARTLY * (1 - at_first)


def as_fact(launches: Iterable[Launch]) -> list[list[Any]]:
    """Return kernel, grid and block of each launch, for reports."""
    return [[launch.kernel, list(launch.grid), list(launch.block)] for launch in launches]


def expect_returned(value: Any, function: str) -> None:
    """Fail if a function returned None: many students return the result of a launch."""
    if value is None:
        fail(
            f"`{function}` returned None.",
            hint="A launch gives nothing back: return the array that the kernel wrote, copied to the host.",
        )


def expect_launched(answer: CheckedCall, function: str, example: str) -> None:
    """Fail if a function launched no kernel.

    `example` is a line that launches the kernel, such as `add_kernel[10, 10](A, B, C)`.
    """
    if not answer.seen.launches:
        fail(f"`{function}` launched no kernel.", hint=f"Call {example} and return what it wrote to C.")


def expect_launches(answer: CheckedCall, kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Fail unless `kernel` was launched, each time with these numbers of blocks and threads, in any arrangement."""
    expect_counts(answer.seen.launches, kernel, blocks, threads, note)


def expect_counts(launches: Sequence[Launch], kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Judge launches as `expect_launches` does, even if their kernel raised or did not end."""
    note.fact("launches", as_fact(launches[:20]))
    own = [launch for launch in launches if launch.kernel == kernel]
    expected = f"{kernel}[{blocks}, {threads}]"
    if not own:
        names = ", ".join(sorted({launch.kernel for launch in launches})[:SHOWN]) or "nothing"
        fail(f"`{kernel}` was not launched.", expected=expected, got=names, hint=f"Call {expected}(...).")
    wrong = [launch for launch in own if (math.prod(launch.grid), math.prod(launch.block)) != (blocks, threads)]
    if not wrong:
        return
    got = "; ".join(f"grid {launch.grid}, block {launch.block}" for launch in wrong[:SHOWN])
    swapped = blocks != threads and (math.prod(wrong[0].grid), math.prod(wrong[0].block)) == (threads, blocks)
    many = "block" if blocks == 1 else "blocks"
    also = f"The sheet asks for {blocks} {many} of {threads} threads, even if values are right."
    hint = "Blocks come first: kernel[blocks, threads per block]." if swapped else also
    fail(f"`{kernel}` was launched with the wrong number of blocks or threads.", expected=expected, got=got, hint=hint)
