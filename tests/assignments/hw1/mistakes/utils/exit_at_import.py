"""The file ends the program when it is imported.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
"""

import sys

sys.exit("ran as a script")
