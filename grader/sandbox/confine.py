"""The last step before the worker: `python -I -m grader.sandbox.confine POLICY MODULE ARGUMENT...`.

It gives up all rights that the policy does not keep, then runs MODULE as the main program in the same process. Until
then it has one thread, and has imported only the standard library and this folder; MODULE's imports are read confined.
Records are named tuples, because importing dataclasses would cost each worker 10 ms.
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

_OPEN_FILES = 1024  # the limit of open files, because the memory in pipes and sockets counts for no process


class Policy(NamedTuple):
    """The rights that a process keeps and gives up."""

    tasks: int  # the most processes and threads that the worker may have at a time
    shares_tasks: bool = True  # whether the kernel counts the user's other processes, too, as without own namespaces
    folder: str = ""  # the working folder, entered after the change of the user id; empty for the folder of the command
    user_id: int = 0
    reads: bool = False
    namespaces: bool = False
    gpu: bool = False
    refuses_calls: bool = True  # whether to install the seccomp filter
    abi: int = 0  # Landlock's ABI number; 0 for no Landlock
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
    """Apply `policy` to this process and its children; this cannot be undone.

    Raises:
        OSError: the kernel refuses a part; then no student code may run.
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
    """Set limit `kind` of this process and its children to `most`, or to the hard limit if that is lower."""
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def count_tasks(user_id: int) -> int:
    """Return the number of threads that the processes of `user_id` have now."""
    count = 0
    for entry in os.scandir("/proc"):
        with contextlib.suppress(OSError):  # the process has ended
            if entry.name.isdigit() and entry.stat().st_uid == user_id:
                with open(f"{entry.path}/stat", "rb") as stat:  # noqa: PTH123 - pathlib costs a worker's start 8 ms
                    count += int(stat.read().rsplit(b")", 1)[1].split()[17])
    return count


def main() -> None:
    """Confine this process, then run the module named on the command line in it."""
    policy, module = Policy.from_text(sys.argv[1]), sys.argv[2]
    confine(policy)
    sys.argv = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
