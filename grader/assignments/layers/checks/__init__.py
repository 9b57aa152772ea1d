"""The checks of the second homework, one file for each file of the hand-in."""
