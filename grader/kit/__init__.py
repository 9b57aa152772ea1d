"""Makes the kit for students, and the packages with which platforms grade.

The kit runs the course's checks on a student's machine, predicts the score, and makes a zip that the grader accepts.

    folder --intake--> files --the same pytest checks--> observations --scoring--> report --prediction--> score range

`selfcheck` runs checks and keeps results, `prediction` and `dialogue` write the texts, `handin` makes the zip, and
`handout` packs all of it for students. Students' own code runs on their own machine without a sandbox.

The packages for platforms grade an assignment and contain no reference solution:

    parts        the parts of every package: the grader's wheel, pinned versions, wheels, data, setup script
    platforms    the package of each platform: its files, and its form as zip or folder
    inside       the code that runs on a platform: it reads the upload and writes the platform's own result format
    templates    the texts of the packages, `templates/<platform>/`; every package has those in `templates/shared/`
"""
