"""Judges of GPU homework, which checks call: each examines one property, and ends the check if it is wrong.

    declared     whether functions work as assignment.toml says; used after each check that is not `values_only`
    slices       whether reading can follow a function, what was observed of its calls, and doubts about it
    loops        whether loops in plain Python visited the entries
    compiled     whether machine code that Numba made of the submission's own loops computes the answer
    scenarios    runs whose launches are recorded: of functions, and of small staff functions that use classes
    kernels      whether kernels computed a function's answer, and with how many blocks and threads they were launched
    chains       whether each part of a scenario's answer comes from a chain of launches that starts with the data
    makers       which arrays contain right numbers, and which launches wrote them, whole or in blocks
    ranks        functions that get an MPI communicator, on several ranks, every call traced
    scaling      the speed-up of a training with ranks, measured and predicted; and the share of its time that could
                 run in parallel, with the bound that follows
    races        whether threads write the same entries, or each thread does all the work
    substitutes  which parts are wrong; the staff's versions replace them while other parts are judged
    costs        how often kernels load numbers, and their bank conflicts: counted, not timed
    delays       whether a function to which the times of others are compared is slow on purpose
    speedup      how many times as fast one function is as another; a `Workload` has both, and their arguments
    training     whether a network knew nothing before its training, and what it learnt
    networks     entrywise functions, batches of samples, weights and biases
    readability  whether files have comments, and keep the prints of the template
    pdf          whether a report can be read, and shows anything

Arguments have the same meaning in all judges: `student` is the submission; `call` is a module of it and a function in
that module; `uses` are the graded parts that a scenario uses, by module and name; `subject` names the run in messages;
`setup` says where kernels run; `note` keeps facts, and doubts as flags.

`StudentFault` costs the check's points, `Inconclusive` leaves them to a TA. A flag costs nothing.

A new judge is a module beside these, with a line above. It gets the result of `Run.compared`, reads its `seen`, and
calls `fail`. New observations need an observer in `grader/worker/sliced/` and a name in `worker/wire.py`.
"""
