"""Grades a batch on a cluster: job arrays of Slurm, watched from the login node.

    jobs --sbatch--> tasks --renamed results--> files --> Finished
              ^         |
              +--lost---+   at most twice per hand-in

Results on the shared file system are the truth. `squeue` only says for whom it is worth waiting; `sacct` is not needed.
A task counts as lost when Slurm no longer lists it as waiting or running and no result appears within `grace_s`, or
when it shows no sign of life for `silence_s` although it is said to run: Slurm itself takes minutes to notice a dead
node. Jobs are submitted with `--no-requeue`, since a requeued job waits for minutes and a resubmitted one does not.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.batch.backend import Finished, Tell
from grader.batch.cluster.slurm_settings import SlurmSettings
from grader.batch.cluster.watch import Say, Watch
from grader.batch.model import Job
from grader.batch.store import Store


@dataclass(frozen=True, slots=True)
class SlurmBackend:
    """A `Backend` that grades on a cluster; `say` is told what concerns the whole batch, in sentences."""

    settings: SlurmSettings
    say: Say = field(default=lambda _sentence: None)

    def run(self, jobs: Sequence[Job], store: Store, tell: Tell) -> Iterator[Finished]:
        """Grade all `jobs` on the cluster; see `Backend.run`.

        A batch that was killed finds its tasks again. Closing the iterator cancels them, unless the settings say that
        they stay.

        Raises:
            UsageError: no Slurm here, or it refuses the options.
            GraderError: the controller has been silent for `patience_s`. Tasks go on, and the next run finds them.
        """
        watch = Watch(self.settings, store, tell, self.say)
        watch.adopt(jobs)
        try:
            while watch.wanted:
                yield from watch.collect()
                watch.submit()
                if watch.wanted:
                    time.sleep(self.settings.poll_s)
                    watch.look()
        except (KeyboardInterrupt, GeneratorExit):
            watch.stop()
            raise
        watch.clear()
