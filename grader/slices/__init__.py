"""Cut each graded function out of its file, with exactly the parts that it names: the grader grades what it can read.

    policy    what a slice may hold: modules, names in them, attributes, built-in functions
    names     which statement of a file binds which name, and which names a statement uses
    reading   what the policy does not allow in a statement
    idle      work in loops that nothing depends on
    cutting   from a function along the names to its slice, *closed* or *open*, and the text that remains of each file

A slice is closed if everything in it is allowed. Then its text says all that it can do, and a worker runs it without
the rest of the file (`grader.worker.sliced`). An open slice is a question for a TA, never an accusation.

Nothing here executes anything of the submission, and nothing here knows an assignment.
"""
