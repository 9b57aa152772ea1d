"""What the times of submissions are compared with; in its own folder, because no submission may see it."""
