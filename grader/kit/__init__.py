"""What students get: the checks of the course on their own machine, a predicted score, and a zip that will be accepted.

    folder --intake--> files --the same pytest checks--> observations --scoring--> report --prediction--> score range

`selfcheck` runs and remembers, `prediction` and `dialogue` put into words, `handin` makes the zip, and `handout` packs
all of it for students. No sandbox stands between a student's own code and the student's own machine.
"""
