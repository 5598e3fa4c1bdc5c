"""The rows of every figure, on tiny sizes."""

import pytest

from solvers.papers.figures import (
    budgets,
    contenders,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
    figure_blocks,
)

TINY = {
    "2": lambda: figure_2([0.2], n_features=8, n_samples=200, budgets=[15, 20]),
    "3": lambda: figure_3([0.3], n_samples=150, n_devices=1),
    "4": lambda: figure_4([0.2], n_features=12, n_samples=800),
    "5": lambda: figure_5(n_samples=120),
    "6": lambda: figure_6([30, 60], psi=0.01, n_samples=200, repeats=1),
    "7": lambda: figure_7([1, 2], n_samples=200),
    "8": lambda: figure_8([100, 200], psis=[1e-3, 1e-2]),
    "9": lambda: figure_9([1, 3]),
    "10": lambda: figure_10([0.2, 0.01], n_features=30, n_samples=200, repeats=1),
    "blocks": lambda: figure_blocks([100, 200], psis=[1e-3, 1e-1]),
}


def unidirectional(*sizes):
    """Of the recordings those of 18 features; figure 5 has the others too."""
    found = contenders.recordings(*sizes)
    return (data for data in found if "unidirectional" in data.name)


class Rows(dict):
    """Rows of figures by name, computed when a test first asks for one."""

    def __missing__(self, name):
        with pytest.MonkeyPatch.context() as patch:
            # Of each path a few points: which methods are compared does not change.
            patch.setattr(contenders, "_ALPHAS", 3)
            patch.setattr(contenders, "_L1_ALPHAS", 5)
            patch.setattr(budgets, "recordings", unidirectional)
            self[name] = list(TINY[name]())
        return self[name]


@pytest.fixture(scope="session")
def rows():
    return Rows()
