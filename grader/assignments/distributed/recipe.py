"""The sizes of the checks, and the functions that they drive."""

FEATURES, HIDDEN, CLASSES = 400, 25, 10
WEIGHTS = (HIDDEN, FEATURES + 1), (CLASSES, HIDDEN + 1)  # shapes of theta1 and theta2
LEARNING_RATE, ITERATIONS, REGULAR = SETTINGS = 0.08, 6, 0.5
STEPS, USUAL_RATE, LARGEST_DRAWN = 60, 0.1, 0.12
"""Steps, learning rate and size of the first weights in the text's experiment; the first two are the defaults."""
GUARDED = 1e-7  # share by which costs may differ: whoever adds 1e-8 within a logarithm, so that it is finite, is right
SAMPLES = 103  # divided by 2, 3 and 4 this leaves a rest
OTHER_REST = 4, 101  # ranks and samples: one sample is left over, while 103 samples leave three
BATCH = 20  # samples of a mini-batch: divided by 3, this leaves a rest, too; the last mini-batch has three samples
MANY_SAMPLES, FEW_SAMPLES = 803, 5
"""Samples of a training that takes some time; and of one in which updates take a larger share of it."""
DEALT_SAMPLES, DEALT_STEPS = 1600, 2  # rank 0 may receive a quarter of what the others' samples take: see `work.Needs`
SIZES = (2, 3, 4)
MOST = 4  # ranks of a run whose calls are counted
LARGEST = 8  # the largest number of ranks: costs and collectives have to be right on these, too

TRAIN = (("data_parallel", "train"),)
SHARE = (("data_parallel", "share_samples"),)
SCENARIOS = ("training_scenarios", "trained")
TIMED_SAMPLES, TIMED_STEPS = 4000, 40  # a step then takes some tens of milliseconds on one rank
