"""Packages for the platforms that courses use: everything that one of them needs to grade an assignment.

    parts        what every package holds: the grader's wheel, pinned versions, wheels, data, and how it is set up
    platforms    platform -> what fills its package, and the form in which it is handed over
    inside       what runs there: the upload in, the platform's own result format out
    templates    the texts of the packages, `templates/<platform>/`; those in `templates/shared/` are in every one

The reference is in none of them.
"""
