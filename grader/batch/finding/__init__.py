"""Finding submissions: what a folder or archive of a learning platform holds becomes a roster of hand-ins.

entries   files by name, wherever they lie: on the disk or inside an archive, which is never unpacked as a whole
moodle, canvas, gradescope, loose
entries become uploads: who handed in what, and when, as far as the platform says
owners    uploads get their students: from the platform, the course's list, file names, students.txt
counting  of each student's uploads the newest counts
roster    what counts gets a key and a file of its own
"""
