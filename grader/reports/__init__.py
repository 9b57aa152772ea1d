"""Reports: every format is a function of a `Report`, and only `files` writes.

    html, junit, gradescope, terminal    Report → text
    evidence                             Evidence ↔ bytes, enough to score again
    story, plots                         what all of them say, in words and in coordinates
    files                                the one place that puts reports on the disk

They compute no score. Whatever a student wrote goes through `printable` here once more before it is shown.
"""
