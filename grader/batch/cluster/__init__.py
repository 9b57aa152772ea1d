"""Batches on Slurm: what it is asked, the files on the shared file system, and what happens when something is lost."""
