"""The file sleeps for an hour when it is imported.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
limit_s: 4
slow: its neighbours of the same kind are in the fast set
"""

import time

time.sleep(3600)
