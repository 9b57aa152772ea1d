"""What every check comes to for every case, one line a case: `make outcomes`.

A *case* is a hand-in of the tests (a mistake, something unusual, an attack) or a control (reference, template). Its
line lists the checks that came to something else than for the reference, so that most lines are short. No line has:

- words: the sentences of findings and flags, which may be improved without changing a grade;
- facts, times and speed ratios: cases are graded on the CPU, where what only a GPU can decide is not measured;
- of a hand-in of hw1, the checks of the files that it leaves as they are in the reference; see `cases.checks_of`.
"""
