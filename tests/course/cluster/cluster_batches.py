"""Small batches for tests of the cluster: what is handed in, and what tasks run in place of the grader."""

import hashlib
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from grader.course.cluster.slurm import SlurmBackend, SlurmSettings
from grader.course.model import GradingOptions, Job, Store, write_record
from grader.course.people import Handin, Student

ROOT = Path(__file__).parents[3]
_STAND_IN = """\
#!/bin/sh
# Called as PYTHON -m grader.course.cluster.arrays ARRAY. `key`: the hand-in, `try`: which start of it.
array=$3; index=$SLURM_ARRAY_TASK_ID; batch=$(dirname "$(dirname "$array")")
key=$({python} -c "import json,sys; print(json.load(open('$array/keys.json'))[$index])")
echo start >> "$batch/starts-$key"; try=$(wc -l < "$batch/starts-$key")
finish() {{
    mkdir -p "$batch/submissions/$key"; echo '{{}}' > "$batch/submissions/$key/evidence.json"
    {python} -c "import json; job = json.load(open('$batch/tasks/$key.json')); \
print(json.dumps({{key: job[key] for key in ('fingerprint', 'regrade_id')}}))" > "$batch/submissions/$key/job.json"
    : > "$array/ended/$index"
}}
{body}
"""


def make_jobs(store, keys, **how):
    """Write the tasks of hand-ins called `keys` and return their jobs."""
    data = os.environ.get("GRADER_DATA", "digits")
    plain = GradingOptions(data=data, device="cpu", sandbox="limits", only=("utils.sigmoid",))
    jobs = []
    for key in keys:
        path = store.root / "handins" / key
        if not path.exists():
            shutil.copytree(ROOT / "reference/hw1", path, ignore=shutil.ignore_patterns("__pycache__"))
        digest = hashlib.sha256(key.encode()).hexdigest()
        handin = Handin(key, (Student(key),), path, digest)
        jobs.append(Job(handin, {"submission": digest}, replace(plain, **how), seed=7))
        write_record(store.task(key), jobs[-1])
    return jobs


def make_backend(python=sys.executable, **settings):
    """Return a quick backend, and the list of what it says."""
    said = []
    quick = {"gres": "gpu:1", "poll_s": 0.2, "grace_s": 1.0} | settings
    return SlurmBackend(SlurmSettings(python=str(python), **quick), said.append), said


def write_stand_in(folder, body):
    """Write a script that stands in for Python on the node: it runs `body`, which may call `finish`."""
    script = folder / "python"
    script.write_text(_STAND_IN.format(python=sys.executable, body=body))
    script.chmod(0o755)
    return script


def open_store(folder):
    return Store(folder / "batch")
