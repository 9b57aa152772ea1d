"""The student edition of this module: only staff watch whether `max_cpu` visits its elements one by one."""

from __future__ import annotations

import numpy as np

from grader.authoring import Note, Student


def expect_single_elements(student: Student, rng: np.random.Generator, note: Note) -> None:
    """Leave this to staff: what the source says decides here."""
