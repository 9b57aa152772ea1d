"""All that is done with the hand-ins of a class; README.md beside this says what is where."""
