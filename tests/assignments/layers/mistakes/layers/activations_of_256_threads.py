"""Blocks have 256 threads.

failed: activations.launch
"""


THREADS = 256
