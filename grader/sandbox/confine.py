"""The last step before the worker: `python -I -m grader.sandbox.confine POLICY MODULE ARGUMENT...`.

Gives up, in this process, whatever the policy does not leave, then runs MODULE as the main program. It has one
thread and has imported nothing but the standard library when it does so; what MODULE imports is read confined. Its
records are named tuples: importing dataclasses would cost each worker 10 ms.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import runpy
import sys
from typing import NamedTuple

from grader.sandbox import identity, landlock, seccomp
from grader.sandbox.kernel import NO_NEW_PRIVS, control_process

_OPEN_FILES = 1024
"""Pipes and sockets hold memory that is nobody's."""


class Policy(NamedTuple):
    """What to give up."""

    tasks: int
    """Processes and threads that the worker may have at a time."""
    shares_tasks: bool = True
    """Whether the user's other processes count against the kernel's limit, as they do without own namespaces."""
    folder: str = ""
    """Where to go once the user id is taken; empty for staying where the command was started."""
    user_id: int = 0
    reads: bool = False
    namespaces: bool = False
    gpu: bool = False
    refuses_calls: bool = True
    """Whether to install the seccomp filter."""
    abi: int = 0
    """Landlock's, 0 for none."""
    rules: landlock.Rules = landlock.Rules()

    def to_text(self) -> str:
        """Return the policy as `from_text` reads it."""
        return json.dumps(self, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Policy:
        """Return the policy that `to_text` wrote."""
        fields = json.loads(text)
        return cls._make([*fields[:-1], landlock.Rules(*map(tuple, fields[-1]))])


def confine(policy: Policy) -> None:
    """Apply `policy` to this process and all that it starts, for good.

    Raises:
        OSError: the kernel refuses a part; nothing may run then.
    """
    identity.take_identity(policy.user_id, reads=policy.reads)
    if policy.folder:
        os.chdir(policy.folder)
    present = count_tasks(os.getuid()) if policy.shares_tasks and not policy.user_id else 0
    lower_limit(resource.RLIMIT_NPROC, present + policy.tasks)
    lower_limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    control_process(NO_NEW_PRIVS, 1)
    if policy.abi:
        landlock.restrict_files(policy.rules, policy.abi)
    if policy.refuses_calls:
        scoped = policy.namespaces or landlock.scopes_signals(policy.abi)
        program = seccomp.build_filter(
            namespaces=policy.namespaces, signals_scoped=scoped, gpu=policy.gpu, pid=os.getpid()
        )
        seccomp.install_filter(program)


def lower_limit(kind: int, most: int) -> None:
    """Set limit `kind` of this process and its children to `most`, or leave it where it is lower already."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def count_tasks(user_id: int) -> int:
    """Return how many threads the processes of `user_id` have now."""
    count = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            if entry.name.isdigit() and entry.stat().st_uid == user_id:
                count += _threads(entry.path)
    return count


def _threads(process: str) -> int:
    with open(f"{process}/stat", "rb") as stat:  # noqa: PTH123 - pathlib costs 8 ms of every worker's start
        return int(stat.read().rsplit(b")", 1)[1].split()[17])


def main() -> None:
    """Confine, then become the module named on the command line."""
    policy, module = Policy.from_text(sys.argv[1]), sys.argv[2]
    confine(policy)
    sys.argv = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
