"""For authors of assignments: templates of new assignments, and trials of all parts of an assignment before its use."""
