"""Judges of GPU homework, for checks to call: each looks at one thing, and ends the check if it is not as it should be.

    declared     whether functions work as assignment.toml says; asked of each check unless it is `values_only`
    slices       whether a function can be followed by reading, what was seen of its calls, and doubts about it
    loops        whether plain Python went through the entries, without delays
    compiled     whether machine code that Numba made of own loops computes the answer
    launches     which kernels were launched, with how many blocks and threads
    scenarios    runs whose launches are recorded: of functions, and of small functions of the staff that drive classes
    kernels      whether kernels computed a function's answer, and the one that was asked for
    chains       whether each part of a scenario's answer comes from a chain of launches that began at the data
    makers       which arrays hold right numbers, and which launches left them there, whole or in blocks
    ranks        functions that get an MPI communicator, on several ranks, every call traced
    scaling      how a training becomes faster with ranks: measured, predicted, simulated for thousands; and which share
                 of the time could run in parallel, and what that allows at most
    races        whether threads get into each other's way, or each does all the work
    substitutes  which parts are wrong; others are judged with the staff's versions of these
    costs        how often kernels load numbers, and which bank conflicts that costs: counted, not timed
    delays       whether a function that times are compared with is slow on purpose
    speedup      how many times as fast one function is as another; a `Workload` says which, and with what
    training     whether a network learnt, in this training
    networks     functions of each entry of an array, batches of samples, weights and biases
    readability  whether files say what they do, and keep the prints that they were given with
    pdf          whether a report shows anything

Arguments mean the same in all of them: `student` is the submission; `call` the names of a module of it, and of a
function in there; `uses` the graded parts that a scenario drives, by module and name; `subject` what messages speak
of; `setup` says what runs kernels here; `note` takes what was seen, and doubts as flags.

What they raise: `StudentFault` loses the check's points, `Inconclusive` leaves them to a TA. A flag costs nothing.

A new judge is a module beside these, with a line above. It takes what `Run.compared` returned, reads `seen` of it, and
raises by `fail`. What nobody observes yet, `grader/worker/sliced/` has to observe, and `worker/wire.py` to name.
"""
