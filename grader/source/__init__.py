"""Reading student code without running it.

    values       what an expression may be: an array of some rank, a list, a library function, ...
    libraries    which library functions do the work that a student was asked to do
    walk         follows a function and everything it calls, and notes what it meets
    expressions  what each expression comes to
    calls        what a call comes to: own functions are followed, those of libraries are known by name

The rules themselves are in `grader.source_rules`.
"""
