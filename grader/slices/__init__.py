"""What is graded is what can be read: a graded function with exactly the parts of its file that it names.

    policy    what a slice may hold: modules, names in them, attributes, built-in functions
    names     which statement of a file binds which name, and which names a statement uses
    reading   what in a statement is not in the policy
    idle      work in loops that nothing depends on
    cutting   from a function along the names to its slice, *closed* or *open*, and the text that remains of each file

A slice is closed if everything in it is allowed; then its text says all that it can do, and it is run alone, where
nothing else exists (`grader.worker.sliced`). An open one is a question for a TA, never an accusation.

Nothing here executes anything of the submission, and nothing here knows an assignment.
"""
