"""The checks of the fourth homework, one file for each part of the sheet."""
