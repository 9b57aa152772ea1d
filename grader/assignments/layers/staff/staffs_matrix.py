"""Scenarios with the staff's Matrix, for submissions whose own was found wrong: its mistakes cost its checks only."""

import importlib
import sys

import numpy as np

USERS = ("matrices", "layers", "losses", "network", "dataset", "stand_ins")


class Matrix:
    """As the sheet says; where numbers come from stays known."""

    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.host, self.device, self.newest = np.zeros(self.shape), None, "host"

    def set(self, values):
        """Take new numbers."""
        values = np.asanyarray(values)
        if values.shape != self.shape:
            raise ValueError(f"this matrix has the shape {self.shape}, the values have {values.shape}")
        self.host, self.newest = values.astype(np.float64), "host"

    def allocate(self):
        """Return the device's memory."""
        if self.device is None:
            self.device = _new(self.shape)
        self.newest = "device"
        return self.device

    def copy_to_device(self):
        """Return the newest numbers there."""
        if self.newest == "host":
            self.device = _new(self.shape)
            self.device.copy_to_device(np.ascontiguousarray(self.host))
            self.newest = "both"
        return self.device

    def copy_to_host(self):
        """Return the newest numbers here."""
        if self.newest == "device":
            self.host, self.newest = self.device.copy_to_host(), "both"
        return self.host


def _new(shape):
    """Return memory of whatever the submission's own import of Numba made the device."""
    return importlib.import_module("numba.cuda").device_array(shape, np.float64)


def call(_replaced, module, function, *args):
    """Return what a scenario returns with this Matrix in place of the submission's."""
    scenario = getattr(importlib.import_module(module), function)
    users = [vars(sys.modules[name]) for name in USERS if "Matrix" in vars(sys.modules.get(name, np))]
    before = [names["Matrix"] for names in users]
    for names in users:
        names["Matrix"] = Matrix
    try:
        return scenario(*args)
    finally:
        for names, own in zip(users, before, strict=True):
            names["Matrix"] = own
