"""Many submissions: find them, grade them here or on a cluster, stop and go on, and end in a grade sheet."""
