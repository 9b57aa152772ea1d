"""What leaves the house: what students get, and what platforms need to grade.

Students get the checks of the course on their own machine, a predicted score, and a zip that will be accepted.

    folder --intake--> files --the same pytest checks--> observations --scoring--> report --prediction--> score range

`selfcheck` runs and remembers, `prediction` and `dialogue` put into words, `handin` makes the zip, and `handout` packs
all of it for students. No sandbox stands between a student's own code and the student's own machine.

Beside it stands what the platforms of courses need to grade an assignment, in packages that hold no reference:

    parts        what every package holds: the grader's wheel, pinned versions, wheels, data, and how it is set up
    platforms    platform -> what fills its package, and the form in which it is handed over
    inside       what runs there: the upload in, the platform's own result format out
    templates    the texts of the packages, `templates/<platform>/`; those in `templates/shared/` are in every one
"""
