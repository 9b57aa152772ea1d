"""How the data-parallel training scales: no points, for that is the machine's as much as the program's."""

import numpy as np

from grader.assignments.distributed import recipe, work
from grader.authoring import Note, check
from grader.authoring.judges import ranks, scaling
from grader.authoring.judges.ranks import RanksRun
from grader.authoring.judges.substitutes import Runner

MODULE = "timing_scenarios"
MESSAGE_BYTES = (8, 1 << 10, 1 << 14, 1 << 17, 1 << 20)
REPEATS = 20


@check("data.speedup", stage="timed")
def test_speedup(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """How much faster `train` is on more ranks, beside Amdahl's law and the α-β model; no points."""
    shapes = (
        (recipe.TIMED_SAMPLES, recipe.FEATURES),
        (recipe.HIDDEN, recipe.FEATURES + 1),
        (recipe.CLASSES, recipe.HIDDEN + 1),
    )
    seed = int(rng.integers(1 << 30))

    def train(size: int, steps: int) -> RanksRun:
        args = (shapes, seed, (recipe.LEARNING_RATE, steps, recipe.REGULAR))
        return work.run(runner, size, (MODULE, "scaled"), args, recipe.TRAIN, "`train`", note=note)

    call, args = (MODULE, "messages"), (MESSAGE_BYTES, REPEATS)
    sent = ranks.run(runner.student, 2, call, args, recipe.TRAIN, "A ping-pong of the staff's")
    scaling.explain(scaling.Training(train, recipe.TIMED_STEPS), sent.value[0], note)
