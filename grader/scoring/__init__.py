"""From observations to points: the rubric, the score, and the marks of TAs."""
