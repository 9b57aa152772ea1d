"""For those who write assignments: a new one to begin with, and trials of all that one is made of before it is used."""
