"""A real Slurm on this machine for tests: its daemons live in a folder of their own, on free ports of loopback.

Needs root and Debian's packages (`apt install slurm-wlm munge`); no systemd, no database, no `sacct`. Two nodes can
stand on the machine under names of their own. GPUs are fake: device files that are counted and handed out like real
ones, with two CPUs and two GPUs per node. Jobs of the partition `urgent` preempt those of `main`.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psutil

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
_START_LIMIT_S = 30
_END_LIMIT_S = 10

_CONF = """\
ClusterName=mini
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=1,defer_batch
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=6
InactiveLimit=0
KillWait=2
MinJobAge={min_job_age_s}
MaxArraySize={max_array_size}
JobRequeue=1
MailProg=/bin/true
GresTypes=gpu
PropagateResourceLimits=NONE
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
"""
_NODE = (
    "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 Boards=1 SocketsPerBoard=1 "
    "CoresPerSocket=2 ThreadsPerCore=1 RealMemory=2000 Gres=gpu:{model}:2 Feature={model} State=UNKNOWN\n"
)
_PARTITIONS = """\
PartitionName=main Nodes={names} Default=YES MaxTime=01:00:00 PriorityTier=1 State=UP
PartitionName=urgent Nodes={names} MaxTime=01:00:00 PriorityTier=9 State=UP
"""


def find_obstacle() -> str:
    if missing := [program for program in PROGRAMS if shutil.which(program) is None]:
        return f"no real Slurm here, {missing[0]} is missing: apt install slurm-wlm munge"
    if os.geteuid() != 0:
        return "a Slurm of our own needs root"
    return ""


class SlurmNode:
    """Daemons in `folder`; `environment` is what Slurm's commands need to find them."""

    def __init__(self, models: tuple[str, ...] = ("fake",), *, max_array_size: int = 1001, min_job_age_s: int = 300):
        self.folder = Path(tempfile.mkdtemp(prefix="mini-slurm-"))
        self.names = tuple(f"node{index}" for index in range(len(models)))
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self._daemons: dict[str, subprocess.Popen] = {}
        self._write_files(models, max_array_size, min_job_age_s)

    def __enter__(self):
        try:
            self._start_munged()
            self.start_controller()
            for name in self.names:
                self.start_node(name)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_exception):
        for daemon in reversed(self._daemons.values()):
            daemon.kill()
            daemon.wait()
        end = time.monotonic() + _END_LIMIT_S
        while (left := self.find_processes()) and time.monotonic() < end:
            for process in left:
                process.kill()
            psutil.wait_procs(left, timeout=0.2)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command, limit_s=20):
        environment = os.environ | self.environment
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit_s, check=True)
        return done.stdout

    def find_processes(self, name=""):
        """Return all processes that jobs or daemons of this Slurm started, or those called `name`."""
        return [process for process in psutil.process_iter() if self._is_ours(process) and name in _name(process)]

    def start_controller(self):
        self._start("slurmctld", "slurmctld", "-D", "-i")
        self._wait_for(lambda: "is UP" in self.run("scontrol", "ping"))

    def stop_controller(self):
        """Kill slurmctld: commands hang or refuse."""
        self._kill("slurmctld")

    def freeze_controller(self):
        """Stop slurmctld without ending it: it accepts calls and answers none."""
        self._daemons["slurmctld"].send_signal(signal.SIGSTOP)

    def thaw_controller(self):
        self._daemons["slurmctld"].send_signal(signal.SIGCONT)

    def start_node(self, name="node0"):
        self._start(name, "slurmd", "-D", "-N", name)
        self._wait_for(lambda: self.run("sinfo", "-h", "-n", name, "-o", "%t").strip() in {"idle", "mix", "alloc"})

    def kill_node(self, name="node0"):
        """Take a node down as a power cut does: daemon, step daemons and all processes of its jobs."""
        self._kill(name)
        for process in self.find_processes():
            if _name(process) not in {"munged", "slurmctld", "slurmd"}:
                process.kill()

    def _write_files(self, models, max_array_size, min_job_age_s):
        host = socket.gethostname().split(".")[0]
        for name in ("state", "log", "munge"):
            (self.folder / name).mkdir(mode=0o700)
        self.folder.chmod(0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o600)
        head = _CONF.format(
            host=host, port=_free_port(), folder=self.folder, min_job_age_s=min_job_age_s, max_array_size=max_array_size
        )
        nodes = [
            _NODE.format(name=name, host=host, port=_free_port(), model=model)
            for name, model in zip(self.names, models, strict=True)
        ]
        partitions = _PARTITIONS.format(names=",".join(self.names))
        (self.folder / "slurm.conf").write_text(head + "".join(nodes) + partitions)
        (self.folder / "cgroup.conf").write_text("CgroupAutomount=no\n")
        (self.folder / "gres.conf").write_text("".join(map(self._make_gpus, self.names, models)))

    def _make_gpus(self, name, model):
        """Make character devices: with plain files the jobs would see no CUDA_VISIBLE_DEVICES."""
        for index, minor in enumerate((3, 5)):
            os.mknod(self.folder / f"{name}-gpu{index}", 0o20666, os.makedev(1, minor))
        return f"NodeName={name} Name=gpu Type={model} File={self.folder}/{name}-gpu[0-1]\n"

    def _start_munged(self):
        folder = self.folder
        files = {"key-file": "munge/key", "socket": "munge.sock", "pid-file": "munged.pid", "seed-file": "munge/seed"}
        options = [f"--{option}={folder / name}" for option, name in files.items()]
        self._start("munged", "munged", "--foreground", "--force", *options, f"--log-file={folder}/log/munged.log")
        self._wait_for((folder / "munge.sock").exists)

    def _start(self, name, *command):
        with (self.folder / "log" / f"{name}.out").open("ab") as log:
            self._daemons[name] = subprocess.Popen(
                command, env=os.environ | self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _kill(self, name):
        daemon = self._daemons.pop(name)
        daemon.kill()
        daemon.wait(_END_LIMIT_S)

    def _wait_for(self, is_true):
        end = time.monotonic() + _START_LIMIT_S
        while time.monotonic() < end:
            try:
                if is_true():
                    return
            except (subprocess.SubprocessError, OSError):
                pass
            time.sleep(0.05)
        logs = "\n".join(f"{path.name}: {path.read_text()[-1500:]}" for path in (self.folder / "log").iterdir())
        raise TimeoutError(f"the Slurm for tests did not start\n{logs}")

    def _is_ours(self, process):
        """Look for the environment as a whole: step daemons write their title over its beginning."""
        try:
            environment = Path(f"/proc/{process.pid}/environ").read_bytes()
        except OSError:
            return False
        return f"SLURM_CONF={self.environment['SLURM_CONF']}\0".encode() in environment


def _name(process):
    try:
        return process.name()
    except psutil.Error:
        return ""


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
