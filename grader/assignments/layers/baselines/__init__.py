"""What the times of submissions are compared with."""
