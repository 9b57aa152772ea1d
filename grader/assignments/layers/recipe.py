"""Sizes and settings that the sheet fixes, and those that the checks choose."""

TILE = 16
"""A block of a product has so many threads along each side."""
THREADS = 64
"""A block of an activation has so many threads."""

OUTPUTS, INPUTS, SAMPLES = 37, 21, 70
"""No multiple of a tile, and each needs another number of tiles: 3, 2 and 5."""
SMALL = 5, 3, 4
"""Outputs, inputs and samples of launches in which every access can be followed."""

HIDDEN = 32
POINTS, BATCH_SIZE = 1000, 100
LEARNING_RATE, EPOCHS = 1.0, 60
"""With these, right code ends at a loss of at most 0.014 for 50 of 50 seeds: see `make bench-quadrants`."""
MARGIN = 0.05
"""Hidden points keep this distance from the axes, where a network may decide as it likes."""
HIDDEN_POINTS = 2000
HIGHEST_LOSS = 0.106
"""What the text that this homework follows reached."""
TIMED_SHAPE = 1024, 1000
"""Hidden neurons, and points in the one batch, of the training that is timed: large enough for a GPU to have work."""
TIMED_RATE, TIMED_EPOCHS = 1.0, 2
"""Two steps: the second begins with what the first left."""
PROFILED = 256, 500, (0.1, 3)
"""Hidden neurons, batch size, learning rate and epochs of the training whose parts are timed."""
TEXT_CORES = 768
"""Of the GPU in the text that this homework follows."""
TEXT_SHARES = "Linear 81.93, ReLU 14.15, Sigmoid 1.63, without the loss, and 32.09 times as fast on its GPU"
"""Of its serial code, in C++."""
LIMIT_S = 60
LAYERS = (("layers", "Linear"), ("layers", "ReLU"), ("layers", "Sigmoid"))
LOSSES = (("losses", "cross_entropy"), ("losses", "cross_entropy_gradient"))
MATRIX = (("matrix", "Matrix"),)
NETWORK = (("network", "FFN"), *LAYERS, *LOSSES, *MATRIX)
"""All that a training uses."""
