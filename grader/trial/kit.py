"""The handout, tried as a student has it: unpacked elsewhere, with its own wheel and no other copy of the grader."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from grader.errors import StaffError
from grader.kit.handout import Handout
from grader.kit.prediction import read_history
from grader.reports.story import range_text

_LIMIT_S = 900
_SHOWN_CHARS = 1500
_LIBRARIES = ("site-packages", "dist-packages")
_PASSED_ON = ("PATH", "LANG", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES")


def try_kit(handout: Handout, name: str, reference: Mapping[str, bytes]) -> None:
    """Check the template and, if there are any files of it, the reference with the kit's wheel.

    The libraries are this environment's; the checks, and all of the grader, are the wheel's.

    Args:
        handout: What students would get.
        name: The assignment's.
        reference: Names and contents of the staff's solution, as far as it is handed in.

    Raises:
        StaffError: the kit does not run, loses a point of the reference or gives one to the template.
    """
    with tempfile.TemporaryDirectory(prefix="grader-kit-") as temporary:
        folder, site = Path(temporary, name), Path(temporary, "site")
        with zipfile.ZipFile(handout.path) as packed:
            packed.extractall(temporary)
        with zipfile.ZipFile(io.BytesIO(handout.wheel.data)) as wheel:
            wheel.extractall(site)
        _low, high, _of = _check(folder, site, name)
        if high > 0:
            raise StaffError(
                f"the kit would give {high:g} points to the template: make its checks fail for what is not written"
            )
        for file, data in reference.items():
            (folder / file).write_bytes(data)
        if not reference:
            return
        low, high, of = _check(folder, site, name)
        if high < of:
            raise StaffError(
                f"the kit would give the reference {range_text(low, high)} of {of:g} points: see `grader selftest`"
            )


def _check(folder: Path, site: Path, name: str) -> tuple[float, float, float]:
    """Return what the kit predicts for a folder: the points between which it lies, and of how many.

    Without `site` (-S): a grader that was installed to be edited adds its own modules to the package of the kit.
    """
    libraries = [path for path in sys.path if Path(path).name in _LIBRARIES]
    here = {word: os.environ[word] for word in _PASSED_ON if word in os.environ}
    done = subprocess.run(  # noqa: S603 - this interpreter and arguments of ours, no shell
        [sys.executable, "-S", "-m", f"{name}check", "check", str(folder), "--plain", "--fresh"],
        cwd=site,
        env={
            **here,
            "PYTHONPATH": os.pathsep.join([str(site), *libraries]),
            "HOME": str(site),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    entries = read_history(folder)
    if not entries:
        output = (done.stdout + done.stderr).strip()[-_SHOWN_CHARS:]
        raise StaffError(
            f"the kit's own wheel cannot check the files of {name} (exit code {done.returncode}); it says: {output}"
        )
    return entries[-1].low, entries[-1].high, entries[-1].of
