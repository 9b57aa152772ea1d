"""What times on a GPU are compared with; in its own folder, because no submission may see it."""
