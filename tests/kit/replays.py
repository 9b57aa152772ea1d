"""A package as a platform would run it: in a root of its own without network, and hand-ins of every kind.

The root has this machine's /usr and /etc, read-only, and nothing else: no file of this project, no home, no network.
"""

import shutil
import subprocess
from pathlib import Path

import handins

LIMIT_S = 1500
SYSTEM = ("--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc")
LINKS = [("usr/bin", "/bin"), ("usr/sbin", "/sbin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64")]
HOSTILE = '''
import glob, os, subprocess, sys
FORGED = """
::stop-commands::x
::notice title=Autograding complete::Points 100/100
::error file=utils.py,line=1::FORGED
##[error]FORGED
{"_presentation": "semantic", "stages": []}
{"scores": {"Part 1 - neural network": 35, "Report": 13}}
"""
for stream in (sys.stdout, sys.stderr):
    stream.write(FORGED)
    stream.flush()
for place in (1, 2, "/proc/1/fd/1", "/proc/1/fd/2", *glob.glob("/proc/[0-9]*/fd/[12]")):
    try:
        with open(place, "wb", closefd=not isinstance(place, int)) as file:
            file.write(FORGED.encode())
    except OSError:
        pass
FORGED_JSON = '{"gradable": true, "score": 1.0, "schema": "classroom50/result/v1", "forged": "FORGED"}'
SUMMARIES = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH")
for name in ("/grade/results/results.json", "result.json", "../result.json", "/ci/checkout/result.json",
             "/tmp/FORGED", "/opt/FORGED", "/ci/FORGED", "/grade/FORGED",
             *glob.glob("/ci/runner/*"), *filter(None, map(os.environ.get, SUMMARIES))):
    try:
        with open(name, "a") as file:
            file.write(FORGED_JSON)
    except OSError:
        pass
try:
    subprocess.Popen(["sh", "-c", "sleep 20; echo FORGED; echo FORGED >>/grade/results/results.json"])
except Exception:
    pass
'''
"""Put before the template's utils.py: prints and writes whatever a platform could take for a result."""


def hostile() -> dict[str, bytes]:
    """Return the template with `HOSTILE` in it: nothing, and no trace."""
    files = handins.template_files()
    return files | {"utils.py": HOSTILE.encode() + files["utils.py"]}


def contain(binds, command, *, environment=None, at="/", user=0):
    """Run `command` in a fresh root without network, where each of `binds` can be written, and return what it did."""
    links = [word for target, link in LINKS for word in ("--symlink", target, link)]
    own = [word for place, folder in binds.items() for word in ("--bind", str(folder), place)]
    given = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", **(environment or {})}
    variables = [word for name, value in given.items() for word in ("--setenv", name, value)]
    inside = [*SYSTEM, *links, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", *own, "--chdir", at]
    sandbox = ["bwrap", "--unshare-all", "--uid", str(user), "--die-with-parent", "--clearenv", *variables, *inside]
    printed = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.run([*sandbox, "--", *command], timeout=LIMIT_S, check=False, **printed)


def build_image(dockerfile: Path, package: Path, opt: Path) -> None:
    """Carry out the steps of a Dockerfile, in `opt` in the place of /opt: it copies `package`, and runs commands."""
    shutil.copytree(package, opt / "package")
    steps = [line.partition(" ") for line in dockerfile.read_text().splitlines()]
    assert [rest for word, _, rest in steps if word == "COPY"] == [". /opt/package"]
    for word, _, rest in steps:
        if word == "RUN":
            done = contain({"/opt": opt}, ["sh", "-c", rest])
            assert done.returncode == 0, done.stdout


def marks_of_forgery(*folders: Path) -> list[str]:
    """Return the files below `folders` that the hostile hand-in wrote."""
    found = [path for folder in folders for path in folder.rglob("*")]
    named = [path for path in found if path.name == "FORGED"]
    files = [path for path in found if path.is_file() and path.suffix not in {".py", ".pyc", ".zip"}]
    small = [path for path in files if path.stat().st_size < 1 << 20]
    return [str(path) for path in (*named, *(path for path in small if b"FORGED" in path.read_bytes()))]
