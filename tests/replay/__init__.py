"""What judges are given by workers, recorded for chosen attacks and mistakes: judges run again in seconds, without any.

    recorded.msgpack.xz   every answer of a worker to a check: values, launches, what was seen, or what was raised
    expected.txt          what the checks then come to, with the sentences of findings and flags

Everything of the parent runs as in a grading: slices are cut, checks ask, judges judge, points are given. Only
`Student._ask`, where each question to a worker goes through, looks up the recorded answer to the same question.

    python tests/replay record   asks workers again (minutes): after a change of what checks ask, or of what is answered
    python tests/replay expect   writes expected.txt anew (seconds): after a change of a judgement, or of a sentence

Arrays are most of what is answered. One that was an argument, is constant, or is the larger or the product of the
arguments, but for zeros, is recorded as such; others once for all cases.

All cases would be megabytes. So cases were chosen: of 79 drawn by chance from attacks and mistakes of all assignments
those with hardly an array of their own, and those that let a line of `grader/authoring/judges/` run that no other does;
and some attacks on launches by hand. Not among them are checks that ask workers in another way: trainings, PDFs, times.
"""
