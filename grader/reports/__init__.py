"""Reports: every format is a function of a `Report`, and only `files` writes.

    html, junit, gradescope, terminal    Report → text
    story, plots                         the sentences and the drawings that all formats share
    figure                               the only module that draws axes, lines, bars and dots
    files                                writes reports to the disk; Evidence ↔ bytes, enough to score again

They compute no score. All text of students goes through `printable` here once more before it is shown.
"""
