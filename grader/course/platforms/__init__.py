"""Learning platforms: what a folder or archive of Moodle, Canvas or Gradescope holds, and whose it is.

`grader.course.roster` makes a roster of it.

entries   files by name, wherever they lie: on the disk or inside an archive, which is never unpacked as a whole
moodle, canvas, gradescope, loose
entries become uploads: who handed in what, and when, as far as the platform says
owners    uploads get their students: from the platform, the course's list, file names, students.txt
counting  of each student's uploads the newest counts
model     students, hand-ins and rosters
"""
