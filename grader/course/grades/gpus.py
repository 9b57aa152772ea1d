"""Who was timed on another GPU than the rest of the batch: such times cannot be compared, and the sheet says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from grader.model import Evidence, Run, printable

_NO_GPU = "the CPU, without a GPU"


def find_other_gpus(evidence: Mapping[str, Evidence]) -> dict[str, str]:
    """Return key -> a sentence, for each hand-in that ran on another GPU model than most of the batch.

    Where nothing ran on a GPU, nothing was timed, and nobody stands out. Hand-ins of which nothing was observed, such
    as those that a cluster lost, do not count.
    """
    models = {key: _name_model(seen.run) for key, seen in evidence.items() if seen.run.hardware and not seen.refusal}
    usual = _find_usual(models.values())
    if usual == _NO_GPU:
        return {}
    return {
        key: f"graded on {model}, unlike most of the batch ({usual}): grade it again there before comparing times"
        for key, model in models.items()
        if model != usual
    }


def describe_other_gpus(found: Mapping[str, str]) -> tuple[str, ...]:
    """Return at most one sentence for the TA about what `find_other_gpus` found."""
    if not found:
        return ()
    names = ", ".join(sorted(found)[:5]) + (", ..." if len(found) > 5 else "")  # noqa: PLR2004 - enough to find them
    count = f"{len(found)} hand-ins were" if len(found) > 1 else "1 hand-in was"
    return (f"{count} graded on another GPU model than the rest; the sheet flags them: {names}",)


def _find_usual(models: Iterable[str]) -> str:
    """Return the commonest GPU model; the CPU only if there is none at all. Of equals, the first by name."""
    counts = Counter(models)
    return min(counts, key=lambda model: (model == _NO_GPU, -counts[model], model), default=_NO_GPU)


def _name_model(run: Run) -> str:
    return printable(run.hardware.get("cuda", ""), 100) if run.device == "gpu" else _NO_GPU
