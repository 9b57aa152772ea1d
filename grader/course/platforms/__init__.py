"""Learning platforms, one module each: what it lets one download, whose that is, and the tables that it takes back.

platform    the Protocol that all are asked by, and the values that pass through it
entries     files by name, wherever they lie: on the disk or inside an archive, which is never unpacked as a whole

Nothing outside this folder knows one by its name. README.md of `grader/course/` shows how one is added.
"""

from grader.course.platforms.canvas import Canvas
from grader.course.platforms.gradescope import Gradescope
from grader.course.platforms.moodle import Moodle
from grader.course.platforms.platform import Plain, Platform

PLATFORMS: dict[str, Platform] = {each.name: each for each in (Gradescope(), Moodle(), Canvas(), Plain())}
"""All but the last are recognised by names that only they give; the last takes what is left."""
