"""What times on a GPU are compared with: in a folder of their own, because no submission may see it."""
