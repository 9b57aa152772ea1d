"""What stands between student code and the machine, in levels; each is chosen by trying it, once per run.

    grader -- supervisor -- bwrap (level full) -- confine -- worker
              |             |                     |
              |             |                     own user id, task limit, Landlock, seccomp; then it becomes the worker
              |             own namespaces: only what is bound exists, scratch is a sized tmpfs
              wall clock, memory, output and scratch of the whole tree; outlives it, and removes what it left

`levels` chooses, `probe` is the trial, `view` says what a worker may see, `bubblewrap` writes the command line of level
full. `confine` runs inside, before any student code and in the worker's own process, so that no second interpreter has
to start; `identity`, `landlock` and `seccomp` are its means, by the standard library alone. `doctor` tells people.
"""

CONFINED = "confined"
"""What the trial of a level prints if it confines."""
