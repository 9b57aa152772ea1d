"""Attacks of hw1: hand-ins that try to gain points or to leave something behind, and their grading.

They stand in the case books `tests/assignments/hw1/<module>/attacks*.py`; `grader.trial.changes` says what `aims`,
`level` and the other keys mean. The report of the key `pdf` is one of `hostile_pdf`. Those that are slow run in
`make test-all` only.
"""

import os
import tempfile
import zlib
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from unittest import mock

import handins
import left_behind

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Report
from grader.trial.casebook import read_cases
from grader.trial.changes import Change
from grader.worker.launcher import Limits

LEVELS = ("limits", "landlock", "full")
"""From weak to strong."""
COMMON_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/root", "/home", "/run")
_SMALL = {"memory_bytes": 1 << 30, "scratch_bytes": 64 << 20, "file_bytes": 64 << 20, "tasks": 64}


def hostile_pdf(kind: str) -> bytes:
    """Return a report that is none (`junk`), or whose page shows nothing of its words (`unseen`).

    Others unpack to 512 MB (`bomb`), or have pages inside themselves (`loop`).
    """
    if kind == "junk":
        return b"%PDF-1.7 no report\n"
    if kind == "unseen":
        return _unseen_pdf()
    kids, count = ("[2 0 R 2 0 R]", 10**9) if kind == "loop" else ("[3 0 R]", 1)
    content = _bomb() if kind == "bomb" else zlib.compress(b"BT ET")
    return packed_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids {kids} /Count {count} >>".encode(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    )


def _unseen_pdf() -> bytes:
    """Return a page of words that are neither filled nor stroked, and of one white pixel."""
    words = b"max_kernel matmul_kernel " + b"word " * 30
    content = b"BT /F1 12 Tf 3 Tr 10 800 Td (%s) Tj ET q 595 0 0 842 0 0 cm /I1 Do Q" % words
    return packed_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> /XObject << /I1 6 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
        b"\nstream\n\xff\nendstream",
    )


def packed_pdf(*objects: bytes) -> bytes:
    """Return a PDF of `objects`, numbered from 1; the first is its catalogue."""
    body, places = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def _bomb() -> bytes:
    packer = zlib.compressobj(9)
    return b"".join([*(packer.compress(b"q Q " * (1 << 18)) for _ in range(512)), packer.flush()])


class Attack(Change):
    @property
    def aims(self) -> list[str]:
        return self.keys.get("aims", "").split()

    @property
    def level(self) -> str:
        return self.keys.get("level", LEVELS[0])

    @property
    def is_on_slices(self) -> bool:
        """Whether it is about who did the work: that is judged alike at every level of the sandbox."""
        return self.name.startswith("slice_")

    @property
    def runs(self) -> tuple[str, ...]:
        """What to grade: enough to see every aim, and no more, because there are many attacks."""
        wanted = self.keys.get("runs", "").split() or self.aims or [handins.PREFIXES[self.target][0]]
        if self.target != "utils.py" and not self.aims:
            wanted = ["max.gpu" if self.target == "max_functions.py" else "matmul.gpu"]
        parts = [word.rstrip(".").split(".") for word in wanted]
        return tuple(sorted({".".join(part[:2] if len(part) == 3 else part[:1]) for part in parts}))

    def files(self) -> dict[str, bytes]:
        report = {"hw1.pdf": hostile_pdf(self.keys["pdf"])} if "pdf" in self.keys else {}
        return handins.reference_files() | self.changed_files() | report

    @property
    def limits(self) -> Limits:
        """Small limits: an attack shall meet them soon."""
        return replace(super().limits if "limit_s" in self.keys else Limits(), **_SMALL)


@dataclass(frozen=True)
class Trial:
    report: Report
    traces: list[str]

    def gained(self, attack: Attack) -> dict[str, str]:
        """Return the aims that were passed, id -> outcome; a flag is enough where slices are attacked."""
        return handins.gained(self.report, attack.aims, flags=attack.is_on_slices)


def attacks() -> list[Attack]:
    some = [*(Attack(**vars(change)) for change in handins.changes("attacks")), dos_methods()]
    return sorted(some, key=attrgetter("id"))


def dos_methods() -> Attack:
    """Return an attack that is written here: its text would fill a book."""
    said = '"""A class of 18,000 methods takes long to read.\n\naims:\nruns: max.\nslow: grades a whole file\n"""\n'
    return attack_of("dos_methods", "max_functions.py", said + "class K:\n" + "    def f(s): 0\n" * 18_000)


def attack_of(name: str, target: str, text: str) -> Attack:
    """Return an attack that stands in no book."""
    (case,) = read_cases(text, Path(f"{name}.py"))
    return Attack(name, target, text, (handins.REFERENCE / target).read_text("utf-8"), case.keys)


def attempt(attack: Attack, level: str, folder: Path) -> Trial:
    """Grade `attack` at `level`, and look for what it left; `folder` is empty and its own."""
    path = folder / "hw1.zip"
    path.write_bytes(handins.packed(attack.files()))
    scratch = folder / "scratch"
    scratch.mkdir(mode=0o755)
    options = Options(seed=handins.SEED, device="cpu", sandbox=level, only=attack.runs, limits=attack.limits)
    files, running = _files_outside(), left_behind.processes()
    with left_behind.orphans_adopted(), mock.patch.object(tempfile, "tempdir", str(scratch)):
        report = grade(path, load_assignment("hw1"), options)
        processes = left_behind.what_stays(lambda: left_behind.processes() - running)
    left = [f"scratch file {path.relative_to(scratch)}" for path in scratch.iterdir()]
    return Trial(report, sorted([*left, *(f"process {one}" for one in processes), *(_files_outside() - files)]))


def _files_outside() -> set[str]:
    """Return the files of attacks outside the scratch folder; an attack answers only for those that came with it."""
    shared = (*COMMON_FOLDERS, handins.TESTS.parent, handins.REFERENCE)
    folders = [folder for folder in shared if os.access(folder, os.R_OK)]
    return {f"file {path}" for folder in folders for path in Path(folder).glob("grader-attack*")}
