"""What the times of submissions are compared with: in a folder of their own, because no submission may see it."""
