# ruff: noqa: N801, N802, N815, N818, ARG002, ARG005 - NVML's own names, signatures and texts
"""A simulated NVML: the functions that the grader asks, of GPUs that a test describes."""

from dataclasses import dataclass, field
from types import SimpleNamespace


class NVMLError(Exception):
    pass


class NVMLError_NotSupported(NVMLError):
    pass


class NVMLError_NotFound(NVMLError):
    pass


@dataclass
class Card:
    uuid: str = "GPU-1111"
    pids: tuple = ()
    samples: tuple = ()  # (pid, when in microseconds, share of the multiprocessors)
    throttle: int = 0
    errors: int = 0
    mig: int = 0
    temperature: int = 41
    busy: int = 0
    unsupported: set = field(default_factory=set)
    of_others: bool = False  # of another job: Slurm forbids to open it


class SimulatedNvml:
    NVMLError, NVMLError_NotSupported, NVMLError_NotFound = NVMLError, NVMLError_NotSupported, NVMLError_NotFound
    NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU = 1, 2, 0
    NVML_MEMORY_ERROR_TYPE_UNCORRECTED, NVML_VOLATILE_ECC = 1, 0
    nvmlClocksThrottleReasonGpuIdle = 0x1
    nvmlClocksThrottleReasonSwPowerCap = 0x4
    nvmlClocksThrottleReasonHwSlowdown = 0x8
    nvmlClocksThrottleReasonSwThermalSlowdown = 0x20
    nvmlClocksThrottleReasonHwThermalSlowdown = 0x40
    nvmlClocksThrottleReasonHwPowerBrakeSlowdown = 0x80

    def __init__(self, *cards, broken=False):
        self.cards, self.broken = cards or (Card(),), broken
        self.open = 0

    def __getattribute__(self, name):
        """Refuse what the first card does not support, as drivers do: by an error of the call."""
        own = object.__getattribute__
        if name.startswith("nvmlDevice") and name in own(self, "cards")[0].unsupported:
            return own(self, "refuse")
        return own(self, name)

    def refuse(self, *_):
        raise NVMLError_NotSupported("Not Supported")

    def nvmlInit(self):
        if self.broken:
            raise NVMLError("Driver Not Loaded")
        self.open += 1

    def nvmlShutdown(self):
        self.open -= 1

    def nvmlDeviceGetCount(self):
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index):
        if index >= len(self.cards):
            raise NVMLError_NotFound("Not Found")
        if self.cards[index].of_others:
            raise NVMLError("Insufficient Permissions")
        return self.cards[index]

    def nvmlDeviceGetHandleByUUID(self, uuid):
        if uuid == "MIG-7":
            return SimpleNamespace(parent=self.cards[-1])
        if named := [card for card in self.cards if card.uuid == uuid]:
            return named[0]
        raise NVMLError_NotFound("Not Found")

    nvmlDeviceGetDeviceHandleFromMigDeviceHandle = staticmethod(lambda handle: handle.parent)
    nvmlDeviceGetUUID = staticmethod(lambda card: card.uuid)
    nvmlDeviceGetName = staticmethod(lambda card: "NVIDIA Test")
    nvmlDeviceGetClockInfo = staticmethod(lambda card, which: {1: 1500, 2: 2600}[which])
    nvmlDeviceGetMaxClockInfo = staticmethod(lambda card, which: 1980)
    nvmlDeviceGetTemperature = staticmethod(lambda card, sensor: card.temperature)
    nvmlDeviceGetUtilizationRates = staticmethod(lambda card: SimpleNamespace(gpu=card.busy, memory=0))
    nvmlDeviceGetCurrentClocksThrottleReasons = staticmethod(lambda card: card.throttle)
    nvmlDeviceGetTotalEccErrors = staticmethod(lambda card, kind, counter: card.errors)
    nvmlDeviceGetMigMode = staticmethod(lambda card: [card.mig, card.mig])

    def nvmlDeviceGetComputeRunningProcesses(self, card):
        return [SimpleNamespace(pid=pid, usedGpuMemory=None) for pid in card.pids]

    def nvmlDeviceGetProcessUtilization(self, card, since):
        if not card.samples:
            raise NVMLError_NotFound("Not Found")
        return [SimpleNamespace(pid=pid, timeStamp=when, smUtil=share) for pid, when, share in card.samples]
