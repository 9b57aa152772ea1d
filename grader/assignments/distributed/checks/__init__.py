"""The checks of the third homework, one file for each file of the hand-in."""
