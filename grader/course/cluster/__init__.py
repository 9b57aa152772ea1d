"""Batches on Slurm: one job array at a time, whose tasks write their results to a file system that all nodes share."""
