"""Small sweeps, and methods that misbehave once."""

import os
import signal
import time
from pathlib import Path
from typing import ClassVar

import numpy as np

from solvers import Dataset
from solvers.methods.l1 import L1Classifier
from tests.methods.tables import random_problem


def tiny(name="tiny", seed=0):
    X, y, hypergraph = random_problem(seed, n_features=5, n_samples=160)
    return Dataset(name, X, y, hypergraph)


def told(swept):
    """Everything about a point but how long training and deciding took."""
    facts = ((k, value) for k, value in swept.row().items() if "seconds" not in k)
    return (*facts, swept.point.features.tobytes())


class DyingClassifier(L1Classifier):
    """L1 whose process dies the first time, as by want of memory."""

    path_knob: ClassVar[str] = "alpha"

    def __init__(self, hypergraph=None, alpha=0.01, n_alphas=4, marker="", times=1):
        super().__init__(hypergraph, alpha=alpha, n_alphas=n_alphas)
        self.marker = marker
        self.times = times

    def _prepared(self, training):
        deaths = [Path(f"{self.marker}.{k}") for k in range(self.times)]
        for death in deaths:
            if not death.exists():
                death.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return super()._prepared(training)


class CountingClassifier(L1Classifier):
    """L1 that writes down each time it is traced."""

    def __init__(self, hypergraph=None, alpha=0.01, n_alphas=4, journal=""):
        super().__init__(hypergraph, alpha=alpha, n_alphas=n_alphas)
        self.journal = journal

    def _prepared(self, training):
        with open(self.journal, "a", encoding="utf-8") as file:
            file.write(f"{np.sum(training.X):.6f}\n")
        return super()._prepared(training)


class EndlessClassifier(L1Classifier):
    """L1 that says which process it is in, and never comes to an end."""

    path_knob: ClassVar[str] = "alpha"

    def __init__(self, hypergraph=None, alpha=0.01, n_alphas=4, folder=""):
        super().__init__(hypergraph, alpha=alpha, n_alphas=n_alphas)
        self.folder = folder

    def _prepared(self, training):
        Path(self.folder, f"{os.getpid()}.process").touch()
        while True:
            time.sleep(0.1)
