"""``python -m grader.cuda_cpu script.py [arguments]``: run a script that uses ``numba.cuda`` on this executor."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from grader.cuda_cpu import install

_USAGE = "usage: python -m grader.cuda_cpu script.py [arguments]\n\nRuns a script that uses numba.cuda, without a GPU."


def main(arguments: list[str]) -> int:
    """Run the script as ``__main__``; return 2 for wrong usage, else 0.

    Args:
        arguments: the script's path and its own arguments.
    """
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stderr.write(_USAGE + "\n")
        return 0 if arguments else 2
    script = Path(arguments[0])
    if not script.is_file():
        sys.stderr.write(f"{script} is no file: name a Python script\n")
        return 2
    install()
    sys.argv = arguments
    sys.path[0] = str(script.resolve().parent)
    runpy.run_path(str(script), run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
