"""Reports: every format is a function of a `Report`, and only `files` writes.

    html, junit, gradescope, terminal    Report → text
    story, plots                         what all of them say, in words and in coordinates
    figure                               the one place that draws an axis, a line, a bar, a dot
    files                                puts reports on the disk; Evidence ↔ bytes, enough to score again

They compute no score. Whatever a student wrote goes through `printable` here once more before it is shown.
"""
