"""Learning platforms, one module each: it reads the platform's downloads and fills its tables of grades.

platform    the Protocol that all platforms implement, and its arguments and results
entries     files by name, on the disk or inside an archive, which is never unpacked as a whole

No module outside this folder names a platform. README.md of `grader/course/` shows how to add one.
"""

from grader.course.platforms.canvas import Canvas
from grader.course.platforms.gradescope import Gradescope
from grader.course.platforms.moodle import Moodle
from grader.course.platforms.platform import Plain, Platform

PLATFORMS: dict[str, Platform] = {each.name: each for each in (Gradescope(), Moodle(), Canvas(), Plain())}
"""All but the last are recognised by names that only they use; the last accepts all other downloads."""
