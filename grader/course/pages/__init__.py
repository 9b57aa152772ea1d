"""Pages about a whole batch, for staff: the class at a glance, and pairs of hand-ins that are alike.

index      `index.html`: scores, checks and every student, sorted and filtered in the browser
charts     numbers of a class as bars and dots, in coordinates
similar    `similarity.html` and a page for each pair, side by side

All are functions of what the disk has; nothing here computes a score.
"""
