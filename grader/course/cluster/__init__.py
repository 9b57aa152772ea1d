"""Batches on Slurm: one job array at a time; its tasks write their results to a file system that all nodes share."""
