"""What was handed in: archives opened safely, the files chosen among them, and the data sets of checks."""
