"""The trial of a level, run inside it like a worker: `... probe CANARY HIDES_NAMES GPU NEEDED...`.

Prints `confined` and ends with 0 if forbidden access fails and needed access works; else prints the problem.
"""

import os
import socket
import sys

from grader.sandbox import CONFINED


def find_leak(canary: str, *, hides_names: bool) -> str:
    """Return a forbidden action that this process can still do, empty if none; `canary` is a file of the grader."""
    if _opens(canary):
        return "it could read a file of the grader"
    if hides_names and os.path.lexists(canary):
        return "it could see the name of a file of the grader"
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except OSError:
        return ""
    return "it could open a network socket"


def find_lack(needed: list[str]) -> str:
    """Return a needed action that this process cannot do; empty if there is none."""
    for path in needed:
        if not _opens(path):
            return f"it could not read {path}"
    try:
        with open("trial", "wb") as file:  # noqa: PTH123 - pathlib costs 8 ms
            file.write(b"x")
        os.unlink("trial")  # noqa: PTH108 - as above
    except OSError as error:
        return f"it could not write into its own folder ({error.strerror})"
    return ""


def find_lack_of_gpu() -> str:
    """Return why no CUDA kernel can run in here; empty if one has run."""
    from grader.worker import gpuprobe  # noqa: PLC0415 - the import takes a second, and only a GPU needs it

    try:
        gpuprobe.try_gpu()
    except gpuprobe.GpuError as error:
        return f"no kernel runs on the GPU inside it ({error})"
    return ""


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def main() -> None:
    """Run the trial, print its result, and exit."""
    canary, hides_names, gpu, *needed = sys.argv[1:]
    problem = find_leak(canary, hides_names=hides_names == "1") or find_lack(needed)
    problem = problem or (find_lack_of_gpu() if gpu == "1" else "")
    sys.stdout.write(problem or CONFINED)
    sys.exit(bool(problem))


if __name__ == "__main__":
    main()
