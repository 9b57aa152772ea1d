"""How jobs are handed to Slurm: what a TA may set, from the command line or the `[slurm]` table of a TOML file."""

from __future__ import annotations

import shlex
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import msgspec

from grader.course.cluster.arrays import Array
from grader.errors import UsageError

_FORMER = frozenset({"silence_s", "patience_s"})
"""Settings of earlier versions; files that have them are still read."""


@dataclass(frozen=True, slots=True)
class SlurmSettings:
    """Each setting has the name of the option of `sbatch` that it becomes, where there is one."""

    partition: str = ""
    account: str = ""
    qos: str = ""
    constraint: str = ""
    """Features that nodes must have, such as the GPU's model: then all are timed on the same."""
    gres: str = "gpu:1"
    """Empty for none, where the nodes have no GPU."""
    cpus: int = 1
    ntasks: int = 0
    """Where ranks communicate: as many as a hand-in's checks start, each with `cpus` cores; 0 for Slurm's own, one."""
    mem: str = ""
    time: str = ""
    """Slurm's own limit for one hand-in, such as `01:00:00`. The grader's limits strike long before."""
    width: int = 0
    """How many tasks may run at once; 0 for as many as Slurm lets."""
    extra: str = ""
    """Further options of `sbatch`, as on a command line."""
    python: str = sys.executable
    """The interpreter with the grader installed, by a path that compute nodes see too."""
    on_stop: Literal["cancel", "leave"] = "cancel"
    """What Ctrl-C does with the tasks: `cancel` them, or `leave` them to be found by the next run."""
    poll_s: float = 5.0
    grace_s: float = 20.0
    """How long a result may need to show on the shared file system once the array is over."""
    array_size: int = 1000
    """The most tasks of one array; below Slurm's `MaxArraySize`, which is 1001 unless a cluster sets it."""

    def write_options(self, array: Array) -> list[str]:
        """Return the options of `sbatch` for `array`."""
        logs = str(array.path / "logs").replace("%", "%%")
        given = {
            "job-name": array.name,
            "array": f"0-{len(array.keys) - 1}" + (f"%{self.width}" if self.width else ""),
            "output": f"{logs}/%a.txt",
            "cpus-per-task": str(self.cpus),
            "ntasks": str(self.ntasks or ""),
            "partition": self.partition,
            "account": self.account,
            "qos": self.qos,
            "constraint": self.constraint,
            "gres": self.gres,
            "mem": self.mem,
            "time": self.time,
        }
        named = [f"--{name}={value}" for name, value in given.items() if value]
        return [*named, "--no-requeue", "--open-mode=append", *shlex.split(self.extra)]


def read_settings(words: Sequence[str]) -> SlurmSettings:
    """Return the settings that `words` ask for, later ones first: each is `name=value`, or a TOML file with `[slurm]`.

    Raises:
        UsageError: an unknown name, a value of another kind, or a file that cannot be read.
    """
    tree: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        tree |= {name.strip(): value} if equals else _read_file(Path(word))
    tree = {name: value for name, value in tree.items() if name not in _FORMER}
    names = [field.name for field in fields(SlurmSettings)]
    if unknown := sorted(set(tree) - set(names)):
        raise UsageError(f"there is no Slurm setting {unknown[0]!r}: use one of {', '.join(names)}")
    try:
        settings = msgspec.convert(tree, SlurmSettings, strict=False)
        shlex.split(settings.extra)
    except (msgspec.ValidationError, ValueError) as error:
        raise UsageError(f"a Slurm setting has an impossible value: {error}") from error
    return settings


def _read_file(path: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("slurm")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the Slurm settings {path} cannot be read ({error}): give a TOML file, or name=value"
        ) from error
    if not isinstance(table, dict):
        raise UsageError(f"{path} has no table [slurm]: write `[slurm]` above its settings")
    return table
