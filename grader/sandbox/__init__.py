"""Confines student code on this machine, in several levels; a level is used only if its trial works, once per run.

    grader -- supervisor -- bwrap (level full) -- confine -- worker
              |             |                     |
              |             |                     own user id, task limit, Landlock, seccomp; then it becomes the worker
              |             own namespaces: only bound paths exist, scratch is a tmpfs of limited size
              limits wall time, memory, output and scratch of the whole process tree; ends last, and removes its files

`levels` chooses, `probe` is the trial, `view` lists what a worker may see, `bubblewrap` writes the command line of
level full. `confine` runs inside, before any student code and in the worker's own process, so that no second
interpreter must start; it uses `identity`, `landlock` and `seccomp`, with the standard library only. `doctor` reports.
"""

CONFINED = "confined"  # the output of a level's trial if the level works
