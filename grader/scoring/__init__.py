"""From what was observed to points: the rubric, the score, and marks that a person gives."""
