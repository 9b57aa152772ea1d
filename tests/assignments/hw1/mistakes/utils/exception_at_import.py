"""The file reads a file that only the student has.

failed: utils.sigmoid utils.sigmoid_prime utils.random_weights utils.zeros_weights utils.zeros_biases utils.create_batches utils.add_elementwise train.accuracy
says: utils.py
slow: its neighbours of the same kind are in the fast set
"""

open("C:/Users/student/hw1/data.csv")
